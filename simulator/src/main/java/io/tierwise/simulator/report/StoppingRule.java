package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.RunResult;
import java.util.List;

/**
 * When enough seeds were run.
 *
 * @param countMin run at least so many
 * @param countMax and at most so many
 * @param share stop when the makespan's 95% half-width is at most this share of its mean; 0: run
 *     all
 */
public record StoppingRule(int countMin, int countMax, double share) {
  public StoppingRule {
    if (countMin < 1 || countMax < countMin || !(share >= 0)) {
      throw new IllegalArgumentException(
          "at least " + countMin + ", at most " + countMax + ", share " + share);
    }
  }

  /** Exactly so many. */
  public static StoppingRule exactly(int count) {
    return new StoppingRule(count, count, 0);
  }

  /**
   * The number of these runs, in the order of their seeds, that are enough; 0 when more are needed.
   *
   * <p>Only the order of the seeds counts, not which run ended first: the answer is the same for
   * any number of threads.
   */
  public int enough(List<RunResult> runs) {
    for (int count = countMin; count <= Math.min(runs.size(), countMax); count++) {
      double[] makespans =
          runs.subList(0, count).stream().mapToDouble(RunResult::makespanSeconds).toArray();
      boolean narrow = count > 1 && Estimate.of(makespans).relativeHalfWidth() <= share;
      boolean last = count == countMax || !runs.get(count - 1).complete();
      if (last || (share > 0 && narrow)) {
        return count;
      }
    }
    return 0;
  }
}
