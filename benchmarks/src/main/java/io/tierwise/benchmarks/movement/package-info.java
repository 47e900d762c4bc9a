/**
 * Times the planning of moves.
 *
 * <p>Not here: how fast a cluster makes them. Start reading at {@link
 * io.tierwise.benchmarks.movement.MovementBench}.
 */
package io.tierwise.benchmarks.movement;
