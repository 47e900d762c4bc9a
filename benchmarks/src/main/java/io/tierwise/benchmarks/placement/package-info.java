/**
 * Times one placement decision inside a real NameNode against Hadoop's own policy.
 *
 * <p>The DataNodes are registrations and heartbeats without processes behind them: the NameNode
 * keeps the same structures for them. Not here: the time to write a block, and how well it is
 * placed beyond the checks of {@link io.tierwise.benchmarks.placement.PlacementQuality}. Start
 * reading at {@link io.tierwise.benchmarks.placement.PlacementBench}.
 */
package io.tierwise.benchmarks.placement;
