package io.tierwise.profiles;

/**
 * Seconds that tasks of runs took for each byte of their input: of mappers for what they read, of
 * reducers for what mappers left them. Sums by run, so that memory does not grow with runs.
 */
final class TaskSeconds {
  private static final String MAP = "map";
  private static final String REDUCE = "reduce";

  private final Mean map = new Mean();
  private final Mean reduce = new Mean();
  private int runs;

  /** A mean and its scatter, by Welford's method. */
  static final class Mean {
    private long count;
    private double mean;
    private double sumOfSquares;

    private void add(double value) {
      count++;
      double before = value - mean;
      mean += before / count;
      sumOfSquares += before * (value - mean);
    }

    long count() {
      return count;
    }

    double mean() {
      return mean;
    }

    /** Of the sample; 0 for one value. */
    double variance() {
      return count < 2 ? 0 : sumOfSquares / (count - 1);
    }
  }

  /** Adds a run that succeeded. */
  void add(RunFigures run) {
    runs++;
    double shuffled = 0;
    double reduceSeconds = 0;
    for (RunFigures.PhaseFigures phase : run.phases()) {
      shuffled += phase.shuffledBytes();
      if (phase.phase().equals(MAP) && phase.readBytes() > 0) {
        map.add(phase.taskSeconds() / phase.readBytes());
      } else if (phase.phase().equals(REDUCE)) {
        reduceSeconds += phase.taskSeconds();
      }
    }
    if (shuffled > 0 && reduceSeconds > 0) {
      reduce.add(reduceSeconds / shuffled);
    }
  }

  int runs() {
    return runs;
  }

  Mean map() {
    return map;
  }

  Mean reduce() {
    return reduce;
  }
}
