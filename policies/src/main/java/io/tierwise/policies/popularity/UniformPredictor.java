package io.tierwise.policies.popularity;

/** The null model: nothing is known, all files are alike. */
final class UniformPredictor extends FileByFilePredictor {
  static final String NAME = "uniform";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  double popularity(UseWindow window, int file, double before) {
    return 0;
  }

  @Override
  public double max() {
    return 0;
  }
}
