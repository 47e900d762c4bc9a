package io.tierwise.policies.popularity;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Windows of an hour, written down by hand or drawn. Files are counted from 0. */
final class Uses {
  static final double HOUR = 3600;

  private final int fileCount;
  private final List<UseWindow> windows = new ArrayList<>();

  Uses(int fileCount) {
    this.fileCount = fileCount;
  }

  /** A next window, in which nothing is yet. */
  UseWindow next() {
    UseWindow window = new UseWindow(fileCount);
    window.begin(windows.size() * HOUR, (windows.size() + 1) * HOUR);
    if (!windows.isEmpty()) {
      windows.get(windows.size() - 1).foresee(window);
    }
    windows.add(window);
    return window;
  }

  /** A next window in which the first {@code kept} files exist, of one block. */
  UseWindow next(int kept) {
    UseWindow window = next();
    for (int file = 0; file < kept; file++) {
      window.keep(file, 1);
    }
    return window;
  }

  List<UseWindow> windows() {
    return windows;
  }

  /** Reads at once, {@code minutes} after the window's beginning. */
  static void readAtOnce(UseWindow window, int file, int times, double minutes) {
    for (int reader = 1; reader <= times; reader++) {
      window.read(file, window.startSeconds() + minutes * 60, reader);
    }
  }

  /**
   * Files that come, are read, and go, in six windows and one to foresee.
   *
   * @param numbers the number of each file
   */
  static Uses drawn(RandomGenerator random, int[] numbers) {
    Uses uses = new Uses(numbers.length);
    boolean[] exists = new boolean[numbers.length];
    for (int index = 0; index < 7; index++) {
      UseWindow window = uses.next();
      for (int file = 0; file < numbers.length; file++) {
        boolean before = exists[file];
        exists[file] = random.nextInt(before ? 10 : 3) > 0 == before;
        int blocks = 1 + random.nextInt(40);
        if (exists[file]) {
          if (before || random.nextBoolean()) {
            window.keep(numbers[file], blocks);
          } else {
            window.create(numbers[file], blocks);
          }
        }
        if (exists[file] || before) {
          readSometimes(window, numbers[file], random);
        }
      }
    }
    return uses;
  }

  private static void readSometimes(UseWindow window, int file, RandomGenerator random) {
    int reads = random.nextInt(3) == 0 ? random.nextInt(30) : 0;
    double seconds = window.startSeconds();
    for (int read = 0; read < reads; read++) {
      seconds += random.nextInt((int) HOUR / 30);
      window.read(file, seconds, 1 + random.nextInt(5));
    }
  }

  /** The predictions after the last window but {@code left}. */
  static double[] predictions(PopularityPredictor predictor, List<UseWindow> windows, int left) {
    PopularityState state = new PopularityState();
    double[] predicted = new double[0];
    for (UseWindow window : windows.subList(0, windows.size() - left)) {
      predicted = new double[window.fileCount()];
      predictor.predict(window, state, predicted);
    }
    return predicted;
  }
}
