/**
 * Runs of the simulator as a library: cases with seeds, sweeps over keys, twins of running
 * clusters, a paper's numbers beside ours.
 *
 * <p>Not here: what happens in a run (the simulator's), and whoever asks: nothing prints, parses
 * options or knows a terminal. What is worth saying while runs go on reaches a {@link
 * io.tierwise.experiments.run.RunListener}, what is worth saying afterwards is a list of lines.
 * Start reading at {@link io.tierwise.experiments.run.CaseRuns}.
 */
package io.tierwise.experiments;
