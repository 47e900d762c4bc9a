/**
 * The choice of the replica that serves a read.
 *
 * <p>A strategy orders the replicas of one block; the host asks them in that order. The memory of a
 * strategy is a state object that the host keeps, in an {@link
 * io.tierwise.policies.access.AccessSession}. Not here: refusing reads, which serving nodes do.
 * Start reading at {@link io.tierwise.policies.access.AccessStrategy}; {@link
 * io.tierwise.policies.access.AccessStrategies} lists them all.
 */
package io.tierwise.policies.access;
