/**
 * Runs of the simulator as a library: cases with seeds, sweeps over keys, twins of running
 * clusters, a paper's numbers beside ours, popularity predictors ranked on a trace, the reads of a
 * user's own log.
 *
 * <p>Not here: the events of a run (the simulator's), and a terminal: nothing prints or parses
 * options. A {@link io.tierwise.experiments.run.RunListener} hears of progress, and remarks at the
 * end are lists of lines. Start reading at {@link io.tierwise.experiments.run.CaseRuns}.
 */
package io.tierwise.experiments;
