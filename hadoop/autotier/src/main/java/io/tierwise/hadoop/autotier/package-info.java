/**
 * The daemon that lets the replicas of files on a running HDFS follow their popularity: the live
 * host of {@link io.tierwise.policies.movement.DecisionEngine}, as the simulator's is {@code
 * ReplicationHost}.
 *
 * <p>Deliberately absent: a terminal; a decision, which is the policies'; a way to change files
 * that bypasses the mover's journal. Start reading at {@link io.tierwise.hadoop.autotier.Autotier}.
 */
package io.tierwise.hadoop.autotier;
