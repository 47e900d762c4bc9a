package io.tierwise.policies.popularity;

/**
 * DUX's Popularity Predictor: each access raises the popularity by one. Only its order means
 * something: the files that are first fill the persistent region of the fast tier.
 *
 * <p>Source: DerbyhatS, Alg. 2 and 6.1.3; deviations in {@link MeanRevertingPredictor}. Own: the
 * average of no files is 0, so that the average stays 0.
 */
final class DuxPredictor extends MeanRevertingPredictor {
  static final String NAME = "dux";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  double averageOfNone() {
    return 0;
  }

  @Override
  double scalability() {
    return 1;
  }

  @Override
  double raised(
      double before,
      double average,
      int raises,
      UseWindow window,
      PopularityState state,
      int file) {
    return before + raises;
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
