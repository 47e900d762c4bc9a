/**
 * Times the planning of moves ({@link io.tierwise.benchmarks.movement.MovementBench}), ours beside
 * Hadoop's own tools on a real HDFS in one process ({@link
 * io.tierwise.benchmarks.movement.RaceBench}), the throttle ({@link
 * io.tierwise.benchmarks.movement.PaceBench}), and what a reader meets beside moves ({@link
 * io.tierwise.benchmarks.movement.ReaderBench}).
 *
 * <p>Not here: what limited devices and links do to them. The SSDs and disks are memory.
 */
package io.tierwise.benchmarks.movement;
