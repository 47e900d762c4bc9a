/**
 * Moves stored replicas between the tiers of a running, unmodified HDFS: the plan of {@link
 * io.tierwise.policies.movement} carried out by HDFS's own protocol for moving blocks, which the
 * Balancer and the Mover speak too.
 *
 * <p>Not here: a terminal, and what is to be moved where. A move counts as made when the NameNode
 * reports the replica in its new place and the old one gone. Start reading at {@link
 * io.tierwise.hadoop.mover.Mover}.
 */
package io.tierwise.hadoop.mover;
