package io.tierwise.experiments.run;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.report.StoppingRule;

/** The number of seeds to run, as a user says it: {@code --seeds} and {@code --precision}. */
public final class SeedCount {
  private static final int SEEDS_MAX = 1000;
  private static final int SEEDS_BEFORE_PRECISION = 3;

  private SeedCount() {}

  /**
   * The rule.
   *
   * @param seeds null: {@code byDefault}, or as many as the precision needs up to 30
   * @param precision a share of the makespan's mean, {@code 2%} or {@code 0.02}; null: no matter
   * @throws OperatorException when they are out of range or contradict each other
   */
  public static StoppingRule rule(Integer seeds, String precision, int byDefault) {
    if (seeds != null && (seeds < 1 || seeds > SEEDS_MAX)) {
      throw OperatorException.badInput("--seeds " + seeds + ": give 1 to " + SEEDS_MAX);
    }
    if (precision == null) {
      return StoppingRule.exactly(seeds == null ? byDefault : seeds);
    }
    int most = seeds == null ? 30 : seeds;
    if (most < SEEDS_BEFORE_PRECISION) {
      throw OperatorException.badInput(
          "--seeds " + most + " with --precision: " + SEEDS_BEFORE_PRECISION + " or more");
    }
    return new StoppingRule(SEEDS_BEFORE_PRECISION, most, share(precision, "--precision"));
  }

  /** A share between 0 and 1, as 0.02 or 2%. */
  public static double share(String text, String option) {
    boolean percent = text.endsWith("%");
    try {
      double value =
          Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text)
              / (percent ? 100 : 1);
      if (value > 0 && value < 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw OperatorException.badInput(option + " " + text + " is no number: write 2% or 0.02");
    }
    throw OperatorException.badInput(
        option + " " + text + ": give a share between 0 and 1, or 0% and 100%");
  }
}
