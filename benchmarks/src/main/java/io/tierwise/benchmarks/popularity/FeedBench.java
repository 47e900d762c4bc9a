package io.tierwise.benchmarks.popularity;

import com.sun.management.OperatingSystemMXBean;
import io.tierwise.benchmarks.FigureRanges;
import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import io.tierwise.hadoop.inspect.audit.AuditCounts;
import io.tierwise.hadoop.inspect.audit.AuditLogFiles;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.heat.HeatSettings;
import io.tierwise.policies.heat.HeatTotals;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Parses and counts an audit log, and fills heat maps. Prints a table and, as its last line, one
 * JSON object; ends with 1 when a figure is out of its range.
 */
public final class FeedBench {
  private static final int LINES = 2_000_000;
  private static final int ROUNDS = 7;
  private static final int HOT_FILES = 1_000_000;
  private static final long START_MILLIS = 1_774_000_000_000L;

  /** A hundred million files and what counts them, a sixteenth of it each. */
  private static final int SCALE = 16;

  private static final int COLD_FILES = 100_000_000 / SCALE;
  private static final HeatSettings WHOLE =
      new HeatSettings(225_000, 12, 8_000_000, 1_000_000, 26, 60_000, 0);

  private final Map<String, Double> figures = new LinkedHashMap<>();

  private FeedBench() {}

  /** Arguments: the file with the ranges, and a folder for the log. */
  public static void main(String[] args) throws IOException {
    FeedBench bench = new FeedBench();
    bench.events(Path.of(args[1]).resolve("hdfs-audit.log"));
    bench.hotFiles();
    bench.hundredMillionFiles();
    List<String> misses = FigureRanges.read(Path.of(args[0])).misses(bench.figures);
    misses.forEach(System.out::println);
    StringBuilder json = new StringBuilder();
    bench.figures.forEach(
        (name, figure) ->
            json.append(json.isEmpty() ? "" : ", ")
                .append(String.format(Locale.ROOT, "\"%s\": %.3f", name, figure)));
    System.out.println("{" + json + "}");
    System.exit(misses.isEmpty() ? 0 : 1);
  }

  private static double processorSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  /** Lines a second of processor time, the collector's and the compiler's included. */
  private void events(Path log) throws IOException {
    long bytes = AuditLogFile.write(log, LINES);
    AuditLogFiles files = AuditLogFiles.inOrder(List.of(log), ZoneOffset.UTC);
    double[] rates = new double[ROUNDS];
    HeatTotals totals = null;
    for (int round = -1; round < ROUNDS; round++) {
      HeatMap heat = new HeatMap(HeatSettings.of(225_000, HOT_FILES));
      double start = processorSeconds();
      AuditCounts counts = files.read(heat);
      double seconds = processorSeconds() - start;
      if (counts.accesses() != LINES) {
        throw new IllegalStateException(counts.firstCorrupt());
      }
      totals = heat.totals();
      // The first round compiles.
      if (round >= 0) {
        rates[round] = LINES / seconds;
      }
    }
    Arrays.sort(rates);
    Files.delete(log);
    System.out.printf(
        Locale.ROOT,
        "%,.0f lines a second of processor time (%,.0f to %,.0f, %d rounds); %,d MB, %,d reads, %,d"
            + " files%n",
        rates[ROUNDS / 2],
        rates[0],
        rates[ROUNDS - 1],
        ROUNDS,
        bytes / 1_000_000,
        totals.reads(),
        totals.files());
    figures.put("audit_events_per_second", rates[ROUNDS / 2]);
  }

  private static void read(HeatMap heat, PathBytes path, PathBytes none, long file, long millis) {
    WarehousePaths.write(file, path.array(), 0);
    heat.accessed(millis, AccessKind.OPEN, path, none, 0);
  }

  private static PathBytes room() {
    PathBytes path = new PathBytes();
    path.set(new byte[WarehousePaths.LENGTH], 0, WarehousePaths.LENGTH);
    return path;
  }

  /** Heap for each file that has a row, with its name, directories and index. */
  private void hotFiles() {
    PathBytes path = room();
    PathBytes none = PathBytes.of("");
    HeatMap warm = new HeatMap(HeatSettings.of(225_000, 1_000));
    read(warm, path, none, 0, START_MILLIS);
    long before = HeapUse.bytes();
    HeatMap heat = new HeatMap(HeatSettings.of(225_000, HOT_FILES));
    for (int i = 0; i < HOT_FILES; i++) {
      read(heat, path, none, i, START_MILLIS + i);
    }
    double each = (HeapUse.bytes() - before) / (double) heat.totals().files();
    System.out.printf(
        Locale.ROOT,
        "%.1f bytes a hot file: %,d files of %d-byte paths in %,d directories%n",
        each,
        heat.totals().files(),
        WarehousePaths.LENGTH,
        heat.totals().directories());
    figures.put("bytes_per_hot_file", each);
  }

  /** Heap for all files, most of them in the sketch, times the scale. */
  private void hundredMillionFiles() {
    HeatSettings part =
        new HeatSettings(
            WHOLE.baseMillis(),
            WHOLE.levels(),
            WHOLE.filesMax() / SCALE,
            WHOLE.directoriesMax() / SCALE,
            WHOLE.tailBits() - Integer.numberOfTrailingZeros(SCALE),
            WHOLE.readerGapMillis(),
            0);
    PathBytes path = room();
    PathBytes none = PathBytes.of("");
    long before = HeapUse.bytes();
    HeatMap heat = new HeatMap(part);
    for (int i = 0; i < COLD_FILES; i++) {
      read(heat, path, none, i, START_MILLIS + i);
    }
    double gibibytes = (double) (HeapUse.bytes() - before) * SCALE / (1L << 30);
    HeatTotals totals = heat.totals();
    System.out.printf(
        Locale.ROOT,
        "%.2f GiB for 100 million files: %d times a map of 1/%d; %,d rows, %,d reads in the sketch;"
            + " an estimate is too high by %.2f on average, by %.1f at most for 96%% of files%n",
        gibibytes,
        SCALE,
        SCALE,
        totals.files(),
        totals.tailReads(),
        meanError(heat),
        totals.tailErrorMax());
    figures.put("hundred_million_files_gibibytes", gibibytes);
  }

  /** Each file was read once. */
  private static double meanError(HeatMap heat) {
    HeatReport report = heat.report(0);
    byte[] path = new byte[WarehousePaths.LENGTH];
    int sample = 10_000;
    double sum = 0;
    for (int i = 0; i < sample; i++) {
      WarehousePaths.write((long) i * (COLD_FILES / sample), path, 0);
      String text = new String(path, java.nio.charset.StandardCharsets.US_ASCII);
      sum += report.file(text).readsMax() - 1;
    }
    return sum / sample;
  }
}
