/**
 * A scenario of a running cluster, made from a {@link io.tierwise.core.view.Census} of it.
 *
 * <p>Not here: reading the cluster, and the form of a scenario. Start reading at {@link
 * io.tierwise.experiments.twin.Twin}, which says what it assumes where a census does not tell.
 */
package io.tierwise.experiments.twin;
