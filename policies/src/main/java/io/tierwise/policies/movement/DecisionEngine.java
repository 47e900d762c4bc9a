package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.PopularityPredictor;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * AptStore's decision engine: how many replicas each file has, and in which store.
 *
 * <p>Popular files (more than the default number of replicas is predicted) get so many in the
 * primary store; average ones keep the default number; unpopular ones (fewer are predicted) go to
 * the secondary store with one replica, which protects itself. Source: DerbyhatS, 5.2.4. Without a
 * secondary store it is AptStore-perf, and with Scarlett's predictor Scarlett (5.3.8.1).
 *
 * <p>Own: additional replicas take no more than a share of the bytes that all files have with the
 * default number; the most popular files get theirs first, each as many as are left. The text gives
 * no budget for AptStore and no order for Scarlett's.
 *
 * @param hasSecondary whether there is a secondary store
 * @param extraShareMax of the bytes with the default number; infinite for no limit
 */
public record DecisionEngine(boolean hasSecondary, double extraShareMax) {
  /** The answer for a file with one replica, in the secondary store. */
  public static final int SECONDARY = 0;

  /** Refuses a budget that is none. */
  public DecisionEngine {
    if (!(extraShareMax >= 0)) {
      throw new IllegalArgumentException(
          "budget of additional replicas is " + extraShareMax + "; 0 or more is allowed");
    }
  }

  /**
   * Decides for all files.
   *
   * @param replicas gets by file number the replicas in the primary store, or {@link #SECONDARY};
   *     left alone for numbers that no file has
   */
  public void decide(ReplicationRequest request, int[] replicas) {
    double budgetBytes = 0;
    for (int file = 0; file < request.fileCount(); file++) {
      if (Double.isNaN(request.predicted()[file])) {
        continue;
      }
      boolean leaves = hasSecondary && extra(request, file) < 0 && !request.mustStay().test(file);
      replicas[file] = leaves ? SECONDARY : PopularityPredictor.DEFAULT_REPLICAS;
      budgetBytes += (double) PopularityPredictor.DEFAULT_REPLICAS * request.bytes()[file];
    }
    spend(budgetBytes * extraShareMax, request, replicas);
  }

  /** The most popular first; of equals the one with the lower number. */
  private static void spend(double budgetBytes, ReplicationRequest request, int[] replicas) {
    double left = budgetBytes;
    int[] popular =
        IntStream.range(0, request.fileCount())
            .filter(file -> extra(request, file) > 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer file) -> -request.predicted()[file]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int file : popular) {
      long bytes = Math.max(1, request.bytes()[file]);
      int granted = (int) Math.min(extra(request, file), Math.floor(left / bytes));
      replicas[file] += granted;
      left -= (double) granted * bytes;
    }
  }

  private static int extra(ReplicationRequest request, int file) {
    double predicted = request.predicted()[file];
    return Double.isNaN(predicted)
        ? 0
        : request.predictor().replicas(predicted) - PopularityPredictor.DEFAULT_REPLICAS;
  }
}
