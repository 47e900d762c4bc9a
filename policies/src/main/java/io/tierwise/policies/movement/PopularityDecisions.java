package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A predictor with the decision engine behind it: what a host asks at the end of each window.
 *
 * @param predictor says how popular each file will be
 * @param engine makes replicas of that
 */
public record PopularityDecisions(PopularityPredictor predictor, DecisionEngine engine) {
  /**
   * Bounds of a file system.
   *
   * @param usualReplicas of a file that is neither popular nor unpopular
   * @param replicasMax that a file can have
   * @param mustStay files that stay in the primary store however unpopular they are
   * @param comeFirst files whose additional replicas come before those of all others
   */
  public record Bounds(
      int usualReplicas, int replicasMax, IntPredicate mustStay, IntPredicate comeFirst) {}

  /**
   * The answer, by file number.
   *
   * @param predicted popularity in the predictor's unit; {@code NaN} for files that do not exist
   * @param replicas in the primary store, or {@link DecisionEngine#SECONDARY}
   */
  public record Answer(double[] predicted, int[] replicas) {}

  /**
   * Predicts the next window and decides.
   *
   * @param state what the predictor remembers; changed
   * @param bytes size by file number
   */
  public Answer decide(UseWindow window, PopularityState state, long[] bytes, Bounds bounds) {
    int files = window.fileCount();
    double[] predicted = new double[files];
    PopularityPredictors.predict(predictor, window, state, predicted);
    int[] replicas = new int[files];
    Arrays.fill(replicas, bounds.usualReplicas());
    engine.decide(
        new ReplicationRequest(
            predictor,
            predicted,
            bytes,
            files,
            bounds.mustStay(),
            bounds.comeFirst(),
            bounds.usualReplicas(),
            bounds.replicasMax()),
        replicas);
    return new Answer(predicted, replicas);
  }
}
