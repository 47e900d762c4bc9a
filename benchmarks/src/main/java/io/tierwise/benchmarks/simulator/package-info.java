/**
 * Times the simulator's engine and network beside other simulators on the same input.
 *
 * <p>Not here: whether what they compute is right, which the simulator's tests say; only makespans
 * are compared with SimGrid's. Start reading at {@link
 * io.tierwise.benchmarks.simulator.SimulatorBench}; a new figure is a {@link
 * io.tierwise.benchmarks.simulator.Section} in its list.
 */
package io.tierwise.benchmarks.simulator;
