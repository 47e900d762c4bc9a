package io.tierwise.policies.popularity;

/**
 * Predicts at the end of each window of time how popular every file will be in the next one.
 *
 * <p>It has no state beyond its settings. The host keeps a {@link PopularityState} for it and hands
 * that in with each {@link UseWindow}, in order of time.
 *
 * <p>Promises of every implementation (the contract suite checks them): the same windows give the
 * same predictions; predictions stay between {@link #min} and {@link #max}; the numbers that stand
 * for files mean nothing, so that other numbers give the same predictions but for rounding; a file
 * that was deleted is forgotten, also when its number comes back; a file that was read once more at
 * its last moment is not predicted to be less popular ({@link MeanRevertingPredictor} says where
 * its formula breaks that). The cost is proportional to the number of files and reads.
 */
public interface PopularityPredictor {
  /** HDFS's default, and that of the papers. */
  int DEFAULT_REPLICAS = 3;

  /** The specification in canonical form; {@link PopularityPredictors#parse} accepts it. */
  String name();

  /**
   * Predicts the next window.
   *
   * @param window the one that has ended
   * @param state what this predictor remembers; changed
   * @param predicted gets each file's popularity, in this predictor's unit, by file number; {@code
   *     NaN} for files that do not exist at the window's end. At least as long as the window has
   *     file numbers.
   * @throws IllegalArgumentException one line: this predictor needs what the window does not hold
   */
  void predict(UseWindow window, PopularityState state, double[] predicted);

  /** No prediction is below. */
  double min();

  /** No prediction is above. */
  double max();

  /**
   * The number of replicas that a file of that predicted popularity should have; the default number
   * from a predictor that says nothing of replicas.
   */
  default int replicas(double predicted) {
    return DEFAULT_REPLICAS;
  }

  /** Whether it says how many replicas a file should have. */
  default boolean saysReplicas() {
    return false;
  }

  /**
   * Whether a file of that predicted popularity may get a place in a fast tier, if that pays: one
   * that should have more than the default number of replicas. From a predictor that says nothing
   * of replicas each file may, and what it would save decides alone.
   */
  default boolean isPopular(double predicted) {
    return !saysReplicas() || replicas(predicted) > DEFAULT_REPLICAS;
  }
}
