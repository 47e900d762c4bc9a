package io.tierwise.benchmarks.simulator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/** Processor seconds of several rounds of the same work: the least, the median, the greatest. */
record Rounds(double least, double median, double greatest) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Runs the work {@code warmUp} times unmeasured, then {@code count} times measured. */
  static Rounds of(int warmUp, int count, Runnable work) {
    for (int i = 0; i < warmUp; i++) {
      work.run();
    }
    double[] seconds = new double[count];
    for (int i = 0; i < count; i++) {
      long before = THREADS.getCurrentThreadCpuTime();
      work.run();
      seconds[i] = (THREADS.getCurrentThreadCpuTime() - before) / 1e9;
    }
    return of(seconds);
  }

  static Rounds of(double... seconds) {
    double[] sorted = seconds.clone();
    Arrays.sort(sorted);
    return new Rounds(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  double perSecond(double count) {
    return count / median;
  }

  /** The median rate, and from slowest to fastest. */
  String rates(double count) {
    return String.format(
        Locale.ROOT, "%,.0f (%,.0f-%,.0f)", count / median, count / greatest, count / least);
  }
}
