/**
 * Learns from NodeManagers' shuffle services how much map output each node sends to reducers, so
 * that moves yield to shuffles, which DataNodes do not see.
 *
 * <p>Not here: what a node's moves keep beside a shuffle, which is policy. Start reading at {@link
 * io.tierwise.hadoop.mover.shuffle.ShuffleWatch}.
 */
package io.tierwise.hadoop.mover.shuffle;
