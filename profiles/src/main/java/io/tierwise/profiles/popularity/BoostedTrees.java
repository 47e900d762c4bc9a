package io.tierwise.profiles.popularity;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.UseFeatures;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Trees that XGBoost grows: a few more with each fitting, and all anew when there are too many.
 *
 * <p>One thread and histograms without sampling, so that the same rows and seed give the same
 * trees. The trees keep to {@link UseFeatures#directions}.
 */
final class BoostedTrees implements AutoCloseable {
  /** Own: so many and so deep that ten million files take seconds; chosen before any trace. */
  private static final int TREES_FIRST = 20;

  private static final int TREES_MORE = 4;
  private static final int TREES_MAX = 40;
  private static final int DEPTH_MAX = 4;
  private static final int BINS_MAX = 64;
  private static final double STEP = 0.3;

  private final Map<String, Object> settings;
  private final double windowSeconds;
  private Booster booster;
  private int count;

  BoostedTrees(double windowSeconds, int seed) {
    this.windowSeconds = windowSeconds;
    settings =
        Map.ofEntries(
            Map.entry("objective", "binary:logistic"),
            // Even odds, so that the sum of the leaves is the whole answer.
            Map.entry("base_score", 0.5),
            Map.entry("eta", STEP),
            Map.entry("max_depth", DEPTH_MAX),
            Map.entry("max_bin", BINS_MAX),
            Map.entry("tree_method", "hist"),
            Map.entry("monotone_constraints", directions()),
            Map.entry("nthread", 1),
            Map.entry("seed", seed),
            Map.entry("verbosity", 0));
  }

  private static String directions() {
    return Arrays.stream(UseFeatures.directions())
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "(", ")"));
  }

  /**
   * Learns from these rows, some of which it may have learned from before.
   *
   * @throws OperatorException one line: this machine cannot run the library
   */
  DecisionTrees fit(TrainingRows rows) {
    try {
      DMatrix matrix = new DMatrix(rows.features(), rows.count(), UseFeatures.count(), Float.NaN);
      try {
        matrix.setLabel(rows.answers());
        matrix.setWeight(rows.weights());
        grow(matrix);
      } finally {
        matrix.dispose();
      }
      return TreeDump.trees(booster.getModelDump("", false, "text"), windowSeconds);
    } catch (XGBoostError e) {
      throw new IllegalStateException("XGBoost refuses rows of ours: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw OperatorException.cluster(
          "trees cannot be fitted on this machine ("
              + cause(e)
              + "): XGBoost needs glibc and libgomp (package libgomp1) on Linux, libomp on macOS;"
              + " all predictors but 'trees' do without",
          e);
    }
  }

  private void grow(DMatrix matrix) throws XGBoostError {
    if (booster != null && count + TREES_MORE <= TREES_MAX) {
      for (int more = 0; more < TREES_MORE; more++) {
        booster.update(matrix, count++);
      }
      return;
    }
    close();
    booster = XGBoost.train(matrix, settings, TREES_FIRST, Map.of(), null, null);
    count = TREES_FIRST;
  }

  private static String cause(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  @Override
  public void close() {
    if (booster != null) {
      booster.dispose();
      booster = null;
    }
  }
}
