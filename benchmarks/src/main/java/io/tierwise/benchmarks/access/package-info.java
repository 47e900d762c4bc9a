/**
 * How long it takes a client to put located blocks into a strategy's order.
 *
 * <p>Not here: how fast the reads are that follow (the demo and the testbed measure those). Start
 * reading at {@link io.tierwise.benchmarks.access.ReorderBenchmark}.
 */
package io.tierwise.benchmarks.access;
