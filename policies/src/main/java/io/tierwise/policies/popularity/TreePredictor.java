package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;
import java.util.Optional;

/**
 * AutoTier's kind: boosted trees say how likely a file is to be read in the next window. Unit: the
 * logarithm of the odds, 0 for all while there is no tree.
 *
 * <p>Source: Herodotou and Kakoulli, "Automating Distributed Tiered Storage Management in Cluster
 * Computing", VLDB 2019. Deviation: one model for one length of window, which the host chooses,
 * where AutoTier has a short one to promote by and a long one to demote by; the features are those
 * of {@link UseFeatures}.
 */
final class TreePredictor implements PopularityPredictor {
  static final String NAME = "trees";
  static final String MODEL = "model";

  private static final String FITTED_HERE = "";

  private final String model;
  private final DecisionTrees trees;

  private TreePredictor(String model, DecisionTrees trees) {
    this.model = model;
    this.trees = trees;
  }

  static TreePredictor of(SpecReader settings, TreeSource source) {
    String model = settings.text(MODEL, FITTED_HERE);
    try {
      return new TreePredictor(
          model, source.trees(Optional.of(model).filter(text -> !text.equals(FITTED_HERE))));
    } catch (IllegalArgumentException e) {
      throw settings.refusal(e.getMessage());
    }
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME).add(MODEL, model, FITTED_HERE).toString();
  }

  @Override
  public void predict(UseWindow window, PopularityState state, double[] predicted) {
    requireLength(window.endSeconds() - window.startSeconds());
    UseFeatures.remember(window, state);
    float[] row = new float[UseFeatures.count()];
    for (int file = 0; file < window.fileCount(); file++) {
      if (window.exists(file)) {
        UseFeatures.fill(window, state, file, row, 0);
        predicted[file] = trees.score(row, 0);
      } else {
        predicted[file] = Double.NaN;
      }
    }
  }

  /** Trees of another window would answer, and be wrong by the difference. */
  private void requireLength(double seconds) {
    if (trees.count() > 0 && Math.abs(seconds - trees.windowSeconds()) > seconds / 100) {
      throw new IllegalArgumentException(
          "popularity predictor "
              + SpecReader.quoted(name())
              + ": the trees were fitted to windows of "
              + trees.windowSeconds()
              + " s; this one has "
              + seconds
              + " s");
    }
  }

  @Override
  public double min() {
    return Double.NEGATIVE_INFINITY;
  }

  @Override
  public double max() {
    return Double.POSITIVE_INFINITY;
  }
}
