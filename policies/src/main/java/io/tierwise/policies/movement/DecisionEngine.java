package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.PopularityPredictor;
import java.util.BitSet;
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
 * <p>Own: predictors take the default number to be three; a file system that has another usual
 * number gives that to average files, and never fewer to popular ones. Additional replicas take no
 * more than a share of the bytes that all files have with the usual number; the most popular files
 * get theirs first, each as many as are left and as a file can have; files of scheduled jobs and
 * those under an SLA before them. The text gives no budget for AptStore and no order for
 * Scarlett's.
 *
 * @param hasSecondary whether there is a secondary store
 * @param extraShareMax of the bytes with the usual number; infinite for no limit
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
      boolean isUnpopular = predicted(request, file) < PopularityPredictor.DEFAULT_REPLICAS;
      boolean leaves = hasSecondary && isUnpopular && !request.mustStay().test(file);
      replicas[file] = leaves ? SECONDARY : request.usualReplicas();
      budgetBytes += (double) request.usualReplicas() * request.bytes()[file];
    }
    spend(budgetBytes * extraShareMax, request, replicas);
  }

  /** Those that come first, then the most popular; of equals the one with the lower number. */
  private static void spend(double budgetBytes, ReplicationRequest request, int[] replicas) {
    double left = budgetBytes;
    int[] growing =
        IntStream.range(0, request.fileCount()).filter(file -> extra(request, file) > 0).toArray();
    // Asked once a file: hosts match paths with rules.
    BitSet first = new BitSet();
    IntStream.of(growing).filter(request.comeFirst()).forEach(first::set);
    int[] popular =
        IntStream.of(growing)
            .boxed()
            .sorted(
                Comparator.comparing((Integer file) -> !first.get(file))
                    .thenComparingDouble(file -> -request.predicted()[file]))
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
    boolean exists = !Double.isNaN(request.predicted()[file]);
    int predicted = exists ? predicted(request, file) : 0;
    return predicted > PopularityPredictor.DEFAULT_REPLICAS
        ? Math.max(0, Math.min(predicted, request.replicasMax()) - request.usualReplicas())
        : 0;
  }

  private static int predicted(ReplicationRequest request, int file) {
    return request.predictor().replicas(request.predicted()[file]);
  }
}
