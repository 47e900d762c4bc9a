package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;

/**
 * The bound: looks at the next window. Only hosts that replay what has happened can tell it.
 *
 * @param by the unit: reads in the next window, or the most readers at one time
 */
record OraclePredictor(By by) implements PopularityPredictor {
  static final String NAME = "oracle";
  static final String BY = "by";

  /** The figure that is foreseen. */
  enum By {
    READS,
    READERS;

    private int of(UseWindow window, int file) {
      return this == READS ? window.reads(file) : window.readersMax(file);
    }
  }

  static OraclePredictor of(SpecReader settings) {
    return new OraclePredictor(settings.choice(BY, By.READS));
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME).add(BY, by, By.READS).toString();
  }

  @Override
  public void predict(UseWindow window, PopularityState state, double[] predicted) {
    UseWindow next =
        window
            .next()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "popularity predictor \"oracle\" looks into the future, which only a replay"
                            + " knows; choose another one here"));
    for (int file = 0; file < window.fileCount(); file++) {
      if (!window.exists(file)) {
        predicted[file] = Double.NaN;
      } else {
        predicted[file] = file < next.fileCount() ? by.of(next, file) : 0;
      }
    }
  }

  @Override
  public double min() {
    return 0;
  }

  @Override
  public double max() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public boolean saysReplicas() {
    return true;
  }

  /** One for each reader, the default number at least; one alone for a file that nobody reads. */
  @Override
  public int replicas(double predicted) {
    return predicted < 1 ? 1 : (int) Math.max(DEFAULT_REPLICAS, predicted);
  }
}
