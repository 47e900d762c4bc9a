package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;

/**
 * Baseline: the exponentially weighted moving average of reads a window.
 *
 * <p>E' = w n + (1 - w) E; n reads in the window, w the newest window's weight, E = 0 for a new
 * file.
 */
final class ExponentialAverage extends FileByFilePredictor {
  static final String NAME = "ewma";
  static final String WEIGHT = "weight";

  private static final int SCALE = 3;
  private static final int UNIT = 1000;

  /** Own: half; not measured. */
  private static final int DEFAULT_UNITS = UNIT / 2;

  private final int weightUnits;

  private ExponentialAverage(int weightUnits) {
    this.weightUnits = weightUnits;
  }

  static ExponentialAverage of(SpecReader settings) {
    return new ExponentialAverage(settings.decimal(WEIGHT, DEFAULT_UNITS, SCALE, UNIT));
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add(WEIGHT, Decimals.text(weightUnits, SCALE), Decimals.text(DEFAULT_UNITS, SCALE))
        .toString();
  }

  @Override
  double popularity(UseWindow window, int file, double before) {
    double weight = (double) weightUnits / UNIT;
    return weight * window.reads(file) + (1 - weight) * before;
  }
}
