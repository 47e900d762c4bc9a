package io.tierwise.policies.popularity;

/** A predictor that looks at each file for itself. */
abstract class FileByFilePredictor implements PopularityPredictor {
  @Override
  public final void predict(UseWindow window, PopularityState state, double[] predicted) {
    int files = window.fileCount();
    state.grow(files);
    for (int file = 0; file < files; file++) {
      if (!window.exists(file)) {
        state.forget(file);
        predicted[file] = Double.NaN;
        continue;
      }
      double before = state.isKnown(file) ? state.popularity(file) : 0;
      double popularity = popularity(window, file, before);
      state.remember(file, popularity, lastUseSeconds(window, state, file));
      predicted[file] = predicted(window, state, file);
    }
    forgetFilesBeyond(files, state);
  }

  /** A window with fewer file numbers than the one before: the files beyond are gone. */
  static void forgetFilesBeyond(int files, PopularityState state) {
    for (int file = files; file < state.capacity(); file++) {
      state.forget(file);
    }
  }

  /** The last read; of a file that was not read yet its creation, at the latest possible. */
  static double lastUseSeconds(UseWindow window, PopularityState state, int file) {
    if (window.reads(file) > 0) {
      return window.lastReadSeconds(file);
    }
    return window.isCreated(file) ? window.endSeconds() : state.lastReadSeconds(file);
  }

  /**
   * Popularity after the window.
   *
   * @param before after the window before; 0 for a file that is new
   */
  abstract double popularity(UseWindow window, int file, double before);

  /** The prediction once the window has been counted in. */
  double predicted(UseWindow window, PopularityState state, int file) {
    return state.popularity(file);
  }

  @Override
  public double min() {
    return 0;
  }

  @Override
  public double max() {
    return Double.POSITIVE_INFINITY;
  }
}
