/**
 * The virtual file system: files, blocks and replicas, who decides where they go and which of them
 * serves a read, and how lost ones come back.
 *
 * <p>Not here: any decision; the classes of {@code policies} take them on the cluster's view. Start
 * reading at {@link io.tierwise.simulator.storage.Namespace}.
 */
package io.tierwise.simulator.storage;
