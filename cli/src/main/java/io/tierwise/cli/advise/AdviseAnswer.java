package io.tierwise.cli.advise;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tierwise.experiments.advise.ReplayAnswer;
import io.tierwise.hadoop.inspect.advise.Advice;

/**
 * What the command answers.
 *
 * @param replay null when none was asked for
 */
record AdviseAnswer(@JsonUnwrapped Advice advice, ReplayAnswer replay) {}
