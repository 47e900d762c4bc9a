/**
 * How popular each file will be in the next window of time, from how it was used in those before.
 *
 * <p>Not here: how uses are counted (a host does that), and what follows from a prediction, which
 * {@code movement} decides. Start reading at {@link
 * io.tierwise.policies.popularity.PopularityPredictor}; those at hand are in {@link
 * io.tierwise.policies.popularity.PopularityPredictors}.
 */
package io.tierwise.policies.popularity;
