/**
 * Times the prediction of ten million files' popularity ({@link
 * io.tierwise.benchmarks.popularity.PredictBench}), and the feed that it lives on: lines of an
 * audit log parsed and counted, memory for what was counted ({@link
 * io.tierwise.benchmarks.popularity.FeedBench}).
 *
 * <p>Not here: how good predictions are, which {@code experiments} ranks on traces.
 */
package io.tierwise.benchmarks.popularity;
