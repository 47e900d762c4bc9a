package io.tierwise.cli.advise;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tierwise.experiments.advise.ReplayAnswer;
import io.tierwise.experiments.popularity.PredictorRanking;
import io.tierwise.hadoop.inspect.advise.Advice;

/**
 * The answer of the command, as {@code --json} prints it.
 *
 * @param forecast null for a log that is too short for one
 * @param replay null when none was asked for
 */
record AdviseAnswer(@JsonUnwrapped Advice advice, PredictorRanking forecast, ReplayAnswer replay) {}
