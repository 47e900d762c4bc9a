package io.tierwise.benchmarks.movement;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * How well the throttle holds, of a node and of all, and what a reader meets beside a mover with
 * its default throttle: the 99th percentile of reads of 1 MiB, by turns alone, beside the mover and
 * beside a thread that only takes as much processor time. Prints a table and, as its last line, one
 * JSON object.
 *
 * <p>All nine nodes share the processors of one machine here, where each has its own in a cluster.
 * A second series of reads therefore lets all moves together take a node's rate for each processor.
 */
public final class PaceBench {
  private static final int BLOCKS = 400;
  private static final int ROUNDS = 2;
  private static final int MOVES = BLOCKS * BenchHdfs.REPLICAS;
  private static final int READ_ROUNDS = 5;
  private static final int READ_BLOCKS = 600;
  private static final double READ_SECONDS = 8;
  private static final long NO_LIMIT = 1L << 40;
  private static final long ALL_BYTES_PER_SECOND = 100_000_000L;
  private static final long NODE_BYTES_PER_SECOND = 12_000_000L;
  private static final Path READ = new Path("/read");

  private PaceBench() {}

  public static void main(String[] arguments) throws IOException {
    try (BenchHdfs hdfs = BenchHdfs.inThisProcess()) {
      hdfs.write(BenchHdfs.DATA, BLOCKS);
      double ofAll = error(hdfs, MoverSettings.DEFAULT.atRates(NO_LIMIT, ALL_BYTES_PER_SECOND));
      double ofNode = error(hdfs, MoverSettings.DEFAULT.atRates(NODE_BYTES_PER_SECOND, NO_LIMIT));
      System.out.printf(
          Locale.ROOT, "throttle of all %.1f%% off, of a node %.1f%% off%n", ofAll, ofNode);
      hdfs.write(READ, READ_BLOCKS);
      Growth growth = readerGrowth(hdfs, MoverSettings.DEFAULT);
      Growth shared = readerGrowth(hdfs, aNodeAProcessor());
      System.out.printf(
          Locale.ROOT,
          "{\"throttle_error_percent\": %.1f, \"reader_p99_growth_percent\": %.1f,"
              + " \"reader_p99_growth_busy_percent\": %.1f,"
              + " \"reader_p99_growth_node_a_processor_percent\": %.1f}%n",
          Math.max(ofAll, ofNode),
          growth.mover(),
          growth.busy(),
          shared.mover());
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

  /** Percent by which a reader's 99th percentile grows beside a mover, and beside a busy thread. */
  private record Growth(double mover, double busy) {}

  private static MoverSettings aNodeAProcessor() {
    long ofNode = MoverSettings.DEFAULT.limits().nodeBytesPerSecond();
    return MoverSettings.DEFAULT.atRates(
        ofNode, ofNode * Runtime.getRuntime().availableProcessors());
  }

  private static Growth readerGrowth(BenchHdfs hdfs, MoverSettings settings) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "a reader beside a mover of %.0f MB/s in all:%n",
        settings.limits().allBytesPerSecond() / 1e6);
    double secondsOfMove = processorSecondsOfMove(hdfs);
    List<Double> besideMover = new ArrayList<>();
    List<Double> besideBusy = new ArrayList<>();
    for (int round = 0; round <= READ_ROUNDS; round++) {
      double alone = percentile99(hdfs, forSeconds());
      String layout = round % 2 == 0 ? BenchHdfs.ON_SSD : BenchHdfs.ON_DISK;
      CompletableFuture<MoverReport> moving = moveBeside(hdfs, layout, settings);
      double beside = percentile99(hdfs, () -> !moving.isDone());
      double seconds = moving.join().seconds();
      double busy;
      try (BusyThread ignored = new BusyThread(secondsOfMove, seconds / MOVES)) {
        busy = percentile99(hdfs, forSeconds());
      }
      System.out.printf(
          Locale.ROOT,
          "reader's p99 %.2f ms alone, %.2f ms beside a mover of %.1f s, %.2f ms beside a thread of"
              + " the same %.0f%% of a processor%s%n",
          alone,
          beside,
          seconds,
          busy,
          100 * secondsOfMove * MOVES / seconds,
          round == 0 ? " (warm-up)" : "");
      if (round > 0) {
        besideMover.add((beside / alone - 1) * 100);
        besideBusy.add((busy / alone - 1) * 100);
      }
    }
    return new Growth(middle(besideMover), middle(besideBusy));
  }

  private static double middle(List<Double> values) {
    values.sort(null);
    return values.get(values.size() / 2);
  }

  private static CompletableFuture<MoverReport> moveBeside(
      BenchHdfs hdfs, String layout, MoverSettings settings) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return hdfs.move(BenchHdfs.DATA, layout, settings, Listener.Step.SILENT);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        });
  }

  /** Of all threads of mover, NameNode and DataNodes, with nobody reading: there and back. */
  private static double processorSecondsOfMove(BenchHdfs hdfs) throws IOException {
    double before = ProcessorTime.ofThisProcess();
    for (String layout : List.of(BenchHdfs.ON_SSD, BenchHdfs.ON_DISK)) {
      hdfs.move(BenchHdfs.DATA, layout, Listener.Step.SILENT);
    }
    return (ProcessorTime.ofThisProcess() - before) / (2 * MOVES);
  }

  private static BooleanSupplier forSeconds() {
    long end = System.nanoTime() + (long) (READ_SECONDS * 1e9);
    return () -> System.nanoTime() < end;
  }

  /** Milliseconds for a block, read whole by a new stream. */
  private static double percentile99(BenchHdfs hdfs, BooleanSupplier goOn) throws IOException {
    Random random = new Random(1);
    byte[] block = new byte[BenchHdfs.BLOCK_BYTES];
    double[] millis = new double[1 << 17];
    int count = 0;
    while (goOn.getAsBoolean() && count < millis.length) {
      int index = random.nextInt(READ_BLOCKS);
      Path file = new Path(READ, "file" + index / BenchHdfs.BLOCKS_PER_FILE);
      long at = (long) (index % BenchHdfs.BLOCKS_PER_FILE) * block.length;
      long start = System.nanoTime();
      try (FSDataInputStream in = hdfs.fs().open(file)) {
        in.readFully(at, block);
      }
      millis[count++] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis, 0, count);
    return millis[(int) (count * 0.99)];
  }
}
