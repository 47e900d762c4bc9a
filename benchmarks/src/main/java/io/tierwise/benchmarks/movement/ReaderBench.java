package io.tierwise.benchmarks.movement;

import io.tierwise.hadoop.mover.MoverSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;

/**
 * The 99th percentile of reads of 1 MiB, by turns alone, beside a mover, and beside a null model of
 * it at its rate: the same moves by HDFS's DataNodes without a mover. A process of its own moves.
 * Prints a table and, as its last line, one JSON object.
 *
 * <p>By default, and without the bound of moves a second, where the bytes of these small blocks
 * alone hold moves back. All nine nodes share the processors of one machine here, where each has
 * its own in a cluster: a third series lets all moves together take a node's bytes for each
 * processor.
 *
 * <p>Arguments: rounds, and the names of series, all without one.
 */
public final class ReaderBench {

  /** So many that a mover's first and last steps are little of its time, as they are for users. */
  private static final int BLOCKS = 1200;

  private static final int FEW_BLOCKS = 200;
  private static final int READ_BLOCKS = 600;
  private static final int WARM_UPS = 1;
  private static final Path READ = new Path("/read");
  private static final Path FEW = new Path("/few");

  private final BenchHdfs hdfs;
  private final MovingProcess process;
  private final int rounds;

  /** What goes on beside a reader. */
  private enum Beside {
    NOBODY("nobody"),
    MOVER("a mover"),
    BARE_MOVES("HDFS's moves alone");

    private final String text;

    Beside(String text) {
      this.text = text;
    }
  }

  /**
   * A series of reads beside moves at the same limits.
   *
   * @param name as an argument has it
   * @param path that moves to and fro
   */
  private record Series(String name, MoverSettings settings, Path path) {
    static final String DEFAULT = "default";

    static final List<Series> ALL =
        List.of(
            new Series(DEFAULT, MoverSettings.DEFAULT, FEW),
            new Series("bytes_alone", MoverSettings.DEFAULT.atMovesPerSecond(0), BenchHdfs.DATA),
            new Series("node_a_processor", aNodeAProcessor(), FEW));
  }

  /** Milliseconds of each read, and the 99th percentile of each round. */
  private static final class Reads {
    final List<double[]> rounds = new ArrayList<>();

    double percentile(double share) {
      double[] all = rounds.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
      return all[(int) (all.length * share)];
    }

    static double percentile99(double[] millis) {
      double[] sorted = millis.clone();
      Arrays.sort(sorted);
      return sorted[(int) (sorted.length * 0.99)];
    }
  }

  private ReaderBench(BenchHdfs hdfs, MovingProcess process, int rounds) {
    this.hdfs = hdfs;
    this.process = process;
    this.rounds = rounds;
  }

  public static void main(String[] arguments) throws IOException {
    try (BenchHdfs hdfs = BenchHdfs.inThisProcess();
        MovingProcess process = MovingProcess.start(hdfs)) {
      ReaderBench bench = new ReaderBench(hdfs, process, Integer.parseInt(arguments[0]));
      hdfs.write(BenchHdfs.DATA, BLOCKS);
      hdfs.write(FEW, FEW_BLOCKS);
      hdfs.write(READ, READ_BLOCKS);
      List<String> figures = new ArrayList<>();
      for (Series series : series(List.of(arguments).subList(1, arguments.length))) {
        Map<Beside, Double> growth = bench.run(series);
        figures.add(figure(series, "", growth.get(Beside.MOVER)));
        figures.add(figure(series, "_bare_moves", growth.get(Beside.BARE_MOVES)));
      }
      System.out.println("{" + String.join(", ", figures) + "}");
    }
    System.exit(0);
  }

  private static List<Series> series(List<String> names) {
    return Series.ALL.stream()
        .filter(each -> names.isEmpty() || names.contains(each.name()))
        .toList();
  }

  private static String figure(Series series, String beside, double percent) {
    String of = series.name().equals(Series.DEFAULT) ? "" : "_" + series.name();
    return String.format(
        Locale.ROOT, "\"reader_p99_growth%s%s_percent\": %.1f", beside, of, percent);
  }

  private static MoverSettings aNodeAProcessor() {
    long ofNode = MoverSettings.DEFAULT.limits().nodeBytesPerSecond();
    return MoverSettings.DEFAULT.atRates(
        ofNode, ofNode * Runtime.getRuntime().availableProcessors());
  }

  /** Percent by which the percentile grows, the median of the rounds. */
  private Map<Beside, Double> run(Series series) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "a reader beside moves (%s, %.0f MB/s):%n",
        series.name(),
        moves(series) * (double) BenchHdfs.BLOCK_BYTES / 1e6 / seconds(series));
    Map<Beside, Reads> reads = new EnumMap<>(Beside.class);
    Map<Beside, Double> processor = processorMillis(series);
    Arrays.stream(Beside.values()).forEach(beside -> reads.put(beside, new Reads()));
    for (int round = -WARM_UPS; round < rounds; round++) {
      Map<Beside, double[]> now = round(series, round % 2 != 0);
      if (round >= 0) {
        now.forEach((beside, millis) -> reads.get(beside).rounds.add(millis));
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%-20s %12s %8s %8s %8s   %s%n",
        "beside",
        "ms a move",
        "reads",
        "p50",
        "p99",
        "growth of p99: median, least to most");
    Map<Beside, Double> growths = new EnumMap<>(Beside.class);
    for (Beside beside : Beside.values()) {
      Reads of = reads.get(beside);
      double[] growth = growth(of, reads.get(Beside.NOBODY));
      growths.put(beside, growth[growth.length / 2]);
      System.out.printf(
          Locale.ROOT,
          "%-20s %12.2f %8d %8.2f %8.2f   %+.0f%%, %+.0f to %+.0f%%%n",
          beside.text,
          processor.getOrDefault(beside, 0.0),
          of.rounds.stream().mapToInt(round -> round.length).sum(),
          of.percentile(0.5),
          of.percentile(0.99),
          growth[growth.length / 2],
          growth[0],
          growth[growth.length - 1]);
    }
    return growths;
  }

  /** Percent of each round, sorted. */
  private static double[] growth(Reads beside, Reads alone) {
    double[] growth = new double[beside.rounds.size()];
    for (int round = 0; round < growth.length; round++) {
      double now = Reads.percentile99(beside.rounds.get(round));
      growth[round] = (now / Reads.percentile99(alone.rounds.get(round)) - 1) * 100;
    }
    Arrays.sort(growth);
    return growth;
  }

  /** One turn of each; the bare moves bring back what the mover has moved, or the other way. */
  private Map<Beside, double[]> round(Series series, boolean bareFirst) throws IOException {
    Map<Beside, double[]> millis = new EnumMap<>(Beside.class);
    double seconds = seconds(series);
    if (bareFirst) {
      millis.put(Beside.BARE_MOVES, beside(bareMoves(series, StorageType.SSD, seconds)));
    }
    millis.put(Beside.NOBODY, beside(seconds));
    millis.put(
        Beside.MOVER, beside(mover(series, bareFirst ? BenchHdfs.ON_DISK : BenchHdfs.ON_SSD)));
    if (!bareFirst) {
      millis.put(Beside.BARE_MOVES, beside(bareMoves(series, StorageType.DISK, seconds)));
    }
    StorageType now = StorageType.DISK;
    hdfs.awaitAll(series.path(), moves(series) / BenchHdfs.REPLICAS, now, done());
    return millis;
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private int moves(Series series) throws IOException {
    return hdfs.blocks(series.path()).size() * BenchHdfs.REPLICAS;
  }

  /** How long the moves take at the limits: the null models keep the mover's rate. */
  private double seconds(Series series) throws IOException {
    return hdfs.secondsPlanned(series.path(), BenchHdfs.ON_SSD, series.settings());
  }

  private CompletableFuture<Void> mover(Series series, String layout) {
    return process.move(series.path(), layout, series.settings());
  }

  private CompletableFuture<Void> bareMoves(Series series, StorageType to, double seconds) {
    return process.bareMoves(series.path(), to, seconds);
  }

  /** Processor time of a move without a reader, beyond what an idle cluster takes. */
  private Map<Beside, Double> processorMillis(Series series) throws IOException {
    double seconds = seconds(series);
    int count = moves(series);
    double idle = processorSeconds(SteadyWork.begin(1, 2, seconds, number -> {})) / seconds;
    Map<Beside, Double> millis = new EnumMap<>(Beside.class);
    for (int warm = 0; warm < 2; warm++) {
      note(millis, Beside.MOVER, mover(series, BenchHdfs.ON_SSD), idle * seconds, count);
      note(
          millis,
          Beside.BARE_MOVES,
          bareMoves(series, StorageType.DISK, seconds),
          idle * seconds,
          count);
      hdfs.awaitAll(series.path(), count / BenchHdfs.REPLICAS, StorageType.DISK, done());
    }
    return millis;
  }

  private void note(
      Map<Beside, Double> millis,
      Beside beside,
      CompletableFuture<Void> work,
      double idleSeconds,
      int count) {
    millis.put(beside, (processorSeconds(work) - idleSeconds) * 1e3 / count);
  }

  private double processorSeconds(CompletableFuture<Void> work) {
    double before = processorSeconds();
    work.join();
    return processorSeconds() - before;
  }

  private double processorSeconds() {
    return ProcessorTime.ofThisProcess() + process.processorSeconds();
  }

  private double[] beside(double seconds) throws IOException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    return read(() -> System.nanoTime() < end);
  }

  private double[] beside(CompletableFuture<Void> work) throws IOException {
    double[] millis = read(() -> !work.isDone());
    work.join();
    return millis;
  }

  /** Milliseconds for each block, read whole by a new stream. */
  private double[] read(BooleanSupplier goOn) throws IOException {
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
    return Arrays.copyOf(millis, count);
  }
}
