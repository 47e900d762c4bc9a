package io.tierwise.policies.popularity;

/**
 * The common part of AptStore's and DUX's predictors: accesses raise a popularity that begins at
 * the average, all files lose the mean increase at the end of the window, and the next window is a
 * linear extrapolation.
 *
 * <p>P' = P + raises - MIP / s; predicted = P' + (P' - P); MIP = IP / |F|, IP = sum of raises + sum
 * over deleted files of (AVG(P) - P). P the popularity at the end of the window before, F the files
 * that exist at the end. Source: DerbyhatS, Alg. 1, Alg. 2, Eq. 5.2.
 *
 * <p>Deviation: the extrapolation is printed as P' + (P - P'), which is P and predicts nothing; the
 * prose says that the rate of change stays. A file's first access sets the average and raises IP by
 * nothing, because P_0 is not defined. Reads of a file that is deleted in the same window are left
 * out, so that a deletion leaves the mean of the others as it was. AVG(P) is that of the window
 * before, so that the order of accesses inside a window changes nothing.
 *
 * <p>With s |F| < 1, so a small s and next to no files, one more read makes its own file less
 * popular: it raises P by as much as it raises IP, and MIP / s is more than that.
 */
abstract class MeanRevertingPredictor implements PopularityPredictor {
  @Override
  public final void predict(UseWindow window, PopularityState state, double[] predicted) {
    int files = window.fileCount();
    state.grow(files);
    double average = average(state);
    double increase = 0;
    long count = 0;
    for (int file = 0; file < files; file++) {
      if (!window.exists(file)) {
        if (state.isKnown(file)) {
          increase += average - state.popularity(file);
          state.forget(file);
        }
        continue;
      }
      boolean isNew = !state.isKnown(file);
      double before = isNew ? average : state.popularity(file);
      double raised =
          bounded(raised(before, average, raises(window, file, isNew), window, state, file));
      increase += raised - before;
      count++;
      state.remember(file, raised, FileByFilePredictor.lastUseSeconds(window, state, file));
      // Kept here until the mean increase is known.
      predicted[file] = before;
    }
    for (int file = files; file < state.capacity(); file++) {
      if (state.isKnown(file)) {
        increase += average - state.popularity(file);
        state.forget(file);
      }
    }
    double fall = count == 0 ? 0 : increase / count / scalability();
    for (int file = 0; file < files; file++) {
      if (!state.isKnown(file)) {
        predicted[file] = Double.NaN;
        continue;
      }
      double now = bounded(state.popularity(file) - fall);
      state.setPopularity(file, now);
      predicted[file] = bounded(2 * now - predicted[file]);
    }
  }

  private double average(PopularityState state) {
    double sum = 0;
    long count = 0;
    for (int file = 0; file < state.capacity(); file++) {
      if (state.isKnown(file)) {
        sum += state.popularity(file);
        count++;
      }
    }
    return count == 0 ? averageOfNone() : sum / count;
  }

  /** The first access sets the average; where the creation was seen, that was the first. */
  private static int raises(UseWindow window, int file, boolean isNew) {
    int reads = window.reads(file);
    return isNew && !window.isCreated(file) ? Math.max(0, reads - 1) : reads;
  }

  private double bounded(double popularity) {
    return Math.max(min(), Math.min(max(), popularity));
  }

  /** AVG(P) before there is a file. */
  abstract double averageOfNone();

  /** The constant s. */
  abstract double scalability();

  /**
   * Popularity after the window's accesses, before the mean increase is taken off.
   *
   * @param before popularity at the window's start
   * @param average of all files at the window's start
   * @param raises accesses that count
   * @param state as it was before the window
   */
  abstract double raised(
      double before, double average, int raises, UseWindow window, PopularityState state, int file);
}
