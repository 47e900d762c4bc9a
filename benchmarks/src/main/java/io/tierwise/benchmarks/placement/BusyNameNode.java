package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.Interval;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Measures the opens that one NameNode answers a second when as many handlers ask at once as there
 * are processors, with the order {@code auto} and without, in turns of a second.
 */
final class BusyNameNode {
  private static final int PAIRS = 10;
  private static final int PAIRS_TO_WARM_UP = 2;
  private static final long TURN_NANOS = 1_000_000_000L;
  private static final int OPENS_BETWEEN_LOOKS = 64;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** One open, by one of the handlers. */
  interface Open {
    void by(int handler) throws IOException;
  }

  private BusyNameNode() {}

  /**
   * Measures, and prints a line.
   *
   * @param use switches the order on and off
   * @return ours / stock
   */
  static Interval measure(Open open, Consumer<Boolean> use)
      throws IOException, InterruptedException {
    int handlers = Runtime.getRuntime().availableProcessors();
    double[] ours = new double[PAIRS];
    double[] stock = new double[PAIRS];
    double[] ratio = new double[PAIRS];
    ExecutorService threads = Executors.newFixedThreadPool(handlers);
    try {
      for (int pair = -PAIRS_TO_WARM_UP; pair < PAIRS; pair++) {
        double[] rate = new double[2];
        for (int turn = 0; turn < 2; turn++) {
          boolean isOurs = (turn + pair) % 2 == 0;
          use.accept(isOurs);
          rate[isOurs ? 0 : 1] = opensPerSecond(open, handlers, threads);
        }
        if (pair >= 0) {
          ours[pair] = rate[0];
          stock[pair] = rate[1];
          ratio[pair] = rate[0] / rate[1];
        }
      }
    } finally {
      threads.shutdownNow();
      use.accept(false);
    }
    Interval found = Interval.ofMedian(ratio);
    System.out.printf(
        Locale.ROOT,
        "auto, %d handlers at once       stock %6.0f/s  ours %6.0f/s  ratio %s, heap %.0f MB%n",
        handlers,
        Interval.ofMedian(stock).median(),
        Interval.ofMedian(ours).median(),
        found,
        usedBytes() / BYTES_PER_MEGABYTE);
    return found;
  }

  private static double opensPerSecond(Open open, int handlers, ExecutorService threads)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    List<Future<Long>> running = new ArrayList<>();
    for (int handler = 0; handler < handlers; handler++) {
      int number = handler;
      running.add(threads.submit(() -> openUntil(open, number, start + TURN_NANOS)));
    }
    long opens = 0;
    for (Future<Long> handler : running) {
      try {
        opens += handler.get();
      } catch (ExecutionException e) {
        throw new IOException("a handler failed", e.getCause());
      }
    }
    return 1e9 * opens / (System.nanoTime() - start);
  }

  private static long openUntil(Open open, int handler, long endNanos) throws IOException {
    long opens = 0;
    while (System.nanoTime() - endNanos < 0) {
      for (int i = 0; i < OPENS_BETWEEN_LOOKS; i++) {
        open.by(handler);
      }
      opens += OPENS_BETWEEN_LOOKS;
    }
    return opens;
  }

  /** After a collection: what is kept for opens is bounded. */
  private static double usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
