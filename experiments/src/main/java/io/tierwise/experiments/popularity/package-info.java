/**
 * Ranks popularity predictors on a trace: what each would have put into a fast tier, and what was
 * then read from there.
 *
 * <p>Not here: a cluster. Nothing queues, moves cost bytes and no time; the simulator's runs show
 * that. Start reading at {@link io.tierwise.experiments.popularity.PredictorRanking}.
 */
package io.tierwise.experiments.popularity;
