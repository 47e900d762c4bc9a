package io.tierwise.policies.popularity;

/**
 * Baseline: by the last read. Unit: seconds from the window's end back to it, so 0 or less; minus
 * infinity for a file that was never seen to be read or created.
 */
final class LeastRecentlyUsed extends FileByFilePredictor {
  static final String NAME = "lru";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  double popularity(UseWindow window, int file, double before) {
    return 0;
  }

  @Override
  double predicted(UseWindow window, PopularityState state, int file) {
    return Math.min(0, state.lastReadSeconds(file) - window.endSeconds());
  }

  @Override
  public double min() {
    return Double.NEGATIVE_INFINITY;
  }

  @Override
  public double max() {
    return 0;
  }
}
