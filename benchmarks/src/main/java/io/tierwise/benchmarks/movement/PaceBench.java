package io.tierwise.benchmarks.movement;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * How well the throttle holds, of a node and of all. Prints a table and, as its last line, one JSON
 * object.
 */
public final class PaceBench {
  private static final int BLOCKS = 400;
  private static final int ROUNDS = 2;
  private static final long NO_LIMIT = 1L << 40;
  private static final long ALL_BYTES_PER_SECOND = 100_000_000L;
  private static final long NODE_BYTES_PER_SECOND = 12_000_000L;

  private PaceBench() {}

  public static void main(String[] arguments) throws IOException {
    try (BenchHdfs hdfs = BenchHdfs.inThisProcess()) {
      hdfs.write(BenchHdfs.DATA, BLOCKS);
      double ofAll = error(hdfs, MoverSettings.DEFAULT.atRates(NO_LIMIT, ALL_BYTES_PER_SECOND));
      double ofNode = error(hdfs, MoverSettings.DEFAULT.atRates(NODE_BYTES_PER_SECOND, NO_LIMIT));
      System.out.printf(
          Locale.ROOT, "throttle of all %.1f%% off, of a node %.1f%% off%n", ofAll, ofNode);
      System.out.printf(
          Locale.ROOT, "{\"throttle_error_percent\": %.1f}%n", Math.max(ofAll, ofNode));
    }
    System.exit(0);
  }

  /** The worst of some runs: the rate's deviation from the limit, in percent. */
  private static double error(BenchHdfs hdfs, MoverSettings settings) throws IOException {
    double worst = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (String layout : List.of(BenchHdfs.ON_SSD, BenchHdfs.ON_DISK)) {
        double planned = hdfs.secondsPlanned(BenchHdfs.DATA, layout, settings);
        MoverReport report = hdfs.move(BenchHdfs.DATA, layout, settings, Listener.Step.SILENT);
        double error = Math.abs(planned / report.seconds() - 1) * 100;
        System.out.printf(
            Locale.ROOT,
            "%.1f s at the limit, %.1f s taken: %.1f%% off%n",
            planned,
            report.seconds(),
            error);
        worst = Math.max(worst, error);
      }
    }
    return worst;
  }
}
