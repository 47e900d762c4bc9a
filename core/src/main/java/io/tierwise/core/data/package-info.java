/**
 * The layout that the replicas of a file should have, exact shares of blocks, and hashes that are
 * the same in every process.
 *
 * <p>A {@link io.tierwise.core.data.Layout} is the wish. Not here: where the replicas are, which a
 * host knows, and what a policy may know of a file ({@link io.tierwise.core.view.FileView}). Start
 * reading at {@link io.tierwise.core.data.Layout}.
 */
package io.tierwise.core.data;
