/**
 * Times the prediction of ten million files' popularity ({@link
 * io.tierwise.benchmarks.popularity.PredictBench}).
 *
 * <p>Not here: how good predictions are, which {@code experiments} ranks on traces.
 */
package io.tierwise.benchmarks.popularity;
