package io.tierwise.experiments.popularity;

import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.TreeSource;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.profiles.popularity.TreeFile;
import io.tierwise.profiles.popularity.TreeLearner;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Trees for predictors that want some: those of a file, or those that are fitted while a trace is
 * replayed, at each boundary to the windows that have ended. Nothing is fitted unless a predictor
 * asks for it.
 */
final class ReplayTrees implements TreeSource, AutoCloseable {
  private static final int SEED = 1;

  private final double windowSeconds;
  private TreeLearner learner;

  ReplayTrees(double windowSeconds) {
    this.windowSeconds = windowSeconds;
  }

  /** Whether a predictor of that text wants trees; one that is refused wants nothing. */
  static boolean areWanted(String text) {
    boolean[] wanted = new boolean[1];
    try {
      PopularityPredictors.parse(
          text,
          model -> {
            wanted[0] = true;
            return DecisionTrees.NONE;
          });
    } catch (IllegalArgumentException e) {
      // Whoever ranks it says what is wrong.
      return false;
    }
    return wanted[0];
  }

  @Override
  public DecisionTrees trees(Optional<String> model) {
    if (model.isPresent()) {
      return TreeFile.read(Path.of(model.get()));
    }
    if (learner == null) {
      learner = new TreeLearner(windowSeconds, SEED);
    }
    return learner.trees();
  }

  /**
   * The predictor of that text, to be asked for at each boundary.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  Supplier<PopularityPredictor> predictor(String text) {
    boolean[] grows = new boolean[1];
    PopularityPredictor first =
        PopularityPredictors.parse(
            text,
            model -> {
              grows[0] = model.isEmpty();
              return trees(model);
            });
    return grows[0] ? () -> PopularityPredictors.parse(text, this) : () -> first;
  }

  /** Learns from a window, if anybody wants to know. */
  void windowEnded(UseWindow window) {
    if (learner != null) {
      learner.windowEnded(window);
    }
  }

  @Override
  public void close() {
    if (learner != null) {
      learner.close();
    }
  }
}
