package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.FigureRanges;
import io.tierwise.benchmarks.Interval;
import io.tierwise.benchmarks.access.NameNodeOrderBenchmark;
import io.tierwise.benchmarks.access.ReorderBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Prints a table of decision times, ours beside Hadoop's own, and as its last line one JSON object.
 *
 * <p>One JVM and one NameNode a tree; the cluster grows from 100 to 10,000 nodes. At each size the
 * contenders take turns, a short JMH iteration each, in several rounds, so that what slows the
 * machine slows all of them; the median of the rounds counts.
 */
public final class PlacementBench {
  private static final int[] NODE_COUNTS = {100, 1_000, 10_000};
  private static final int ROUNDS = 5;
  private static final int ITERATION_MILLIS = 200;
  private static final int WARM_UP_MILLIS = 600;

  private static final String ORDER = "order_micros_p99";
  private static final String ORDER_TOLD = "order_reports_micros_p99";
  private static final String HOT = "stock HOT";
  private static final String ONE_SSD = "stock ONE_SSD";
  private static final String ALL_SSD = "stock ALL_SSD";
  private static final String NETWORK_AWARE = "network-aware";
  private static final String HYBRID = "hybrid";

  private final Map<String, Double> keys = new LinkedHashMap<>();
  private final Map<String, Interval> ratios = new LinkedHashMap<>();
  private boolean flawless = true;

  private PlacementBench() {}

  /** In the order in which they run. */
  private enum Part {
    /** First: a client orders blocks in a fresh process, not after millions of other decisions. */
    ORDERS,
    /** Before anything is managed in this JVM: NameNodes in one JVM share their table of names. */
    OPERATIONS,
    OPENS,
    DELETIONS,
    DECISIONS
  }

  /**
   * Exit code 1 when one of our decisions was worse than it may be, or a figure out of its range; 2
   * for a part that is none.
   *
   * @param args the file with the ranges, and the parts; none for all
   */
  public static void main(String[] args) throws IOException, RunnerException {
    FigureRanges ranges = FigureRanges.read(Path.of(args[0]));
    Set<Part> parts = EnumSet.allOf(Part.class);
    if (args.length > 1) {
      parts.clear();
      for (String name : Arrays.asList(args).subList(1, args.length)) {
        parts.add(part(name));
      }
    }
    PlacementBench bench = new PlacementBench();
    for (Part part : parts) {
      bench.measure(part);
    }
    List<String> misses = new ArrayList<>(ranges.misses(bench.keys));
    misses.addAll(ranges.missesOfIntervals(bench.ratios));
    bench.ratios.forEach(bench::putInterval);
    misses.forEach(System.out::println);
    System.out.println(bench.json());
    // A NameNode leaves threads behind that are no daemons.
    System.exit(bench.flawless && misses.isEmpty() ? 0 : 1);
  }

  private static Part part(String name) {
    for (Part part : Part.values()) {
      if (part.name().toLowerCase(Locale.ROOT).equals(name)) {
        return part;
      }
    }
    System.err.println(
        "bench: no part '"
            + name
            + "': use one or more of "
            + Arrays.toString(Part.values()).toLowerCase(Locale.ROOT));
    System.exit(2);
    throw new IllegalStateException();
  }

  private void measure(Part part) throws IOException, RunnerException {
    switch (part) {
      case ORDERS -> measureReordering();
      case OPERATIONS -> measureOperations();
      case OPENS -> {
        try (OpensBench opens = new OpensBench()) {
          ratios.put("open_ratio", opens.measure());
        }
      }
      case DELETIONS -> {
        ExcessBenchmark.Times deletion = ExcessBenchmark.measure();
        System.out.println(deletion);
        keys.put("setrep_512_micros", deletion.micros());
      }
      case DECISIONS -> measureDecisions();
    }
  }

  private void measureOperations() throws IOException {
    try (OperationsBench operations = new OperationsBench()) {
      operations.measure();
      ratios.putAll(operations.ratios());
      keys.put("heap_bytes_per_managed_file", operations.heapBytesPerManagedFile());
    }
  }

  private void measureDecisions() throws IOException, RunnerException {
    System.out.printf(
        Locale.ROOT,
        "One decision: 3 replicas, microseconds (bytes allocated); medians of %d rounds%n",
        ROUNDS);
    System.out.printf(
        Locale.ROOT,
        "%-8s %6s %9s  %-18s %-18s %-18s %-18s %-18s %s%n",
        "tree",
        "nodes",
        "unusable",
        HOT,
        NETWORK_AWARE,
        ONE_SSD,
        ALL_SSD,
        HYBRID,
        "quality");
    for (TreeShape shape : TreeShape.values()) {
      try (BenchCluster cluster = new BenchCluster(shape)) {
        measure(cluster);
      }
    }
  }

  private void measure(BenchCluster cluster) throws IOException, RunnerException {
    String hybridPath = cluster.managedFile("hybrid", "hybrid");
    String networkAwarePath = cluster.managedFile("network-aware", "network-aware:tiers=disk");
    for (int nodeCount : NODE_COUNTS) {
      cluster.growTo(nodeCount);
      for (boolean unusable : new boolean[] {false, true}) {
        cluster.setUnusable(unusable);
        cluster.awaitView();
        Map<String, Contender> contenders = new LinkedHashMap<>();
        contenders.put(HOT, Contender.stock(cluster, StoragePolicy.HOT, "/stock/file"));
        contenders.put(NETWORK_AWARE, Contender.tierwise(cluster, networkAwarePath));
        contenders.put(ONE_SSD, Contender.stock(cluster, StoragePolicy.ONE_SSD, "/stock/file"));
        contenders.put(ALL_SSD, Contender.stock(cluster, StoragePolicy.ALL_SSD, "/stock/file"));
        contenders.put(HYBRID, Contender.tierwise(cluster, hybridPath));
        report(cluster, unusable, contenders);
      }
      cluster.setUnusable(false);
    }
  }

  private void report(BenchCluster cluster, boolean unusable, Map<String, Contender> contenders)
      throws RunnerException {
    Map<String, Figures> figures = time(contenders);
    StringBuilder row = new StringBuilder();
    row.append(
        String.format(
            Locale.ROOT,
            "%-8s %6d %9s ",
            cluster.shape().label(),
            cluster.nodeCount(),
            unusable ? "10%" : "0%"));
    figures.values().forEach(f -> row.append(String.format(Locale.ROOT, " %-18s", f)));
    StringJoiner quality = new StringJoiner("; ");
    for (Map.Entry<String, Contender> entry : contenders.entrySet()) {
      PlacementQuality found = PlacementQuality.of(entry.getValue(), cluster, unusable);
      boolean ours = !entry.getKey().startsWith("stock");
      flawless &= !ours || found.isFlawless();
      if (!found.isFlawless()) {
        quality.add(entry.getKey() + ": " + found);
      }
    }
    System.out.println(row + " " + (quality.length() == 0 ? "ok" : quality));
    keys.merge("allocated_bytes_max", allocatedBytes(figures), Math::max);
    if (unusable) {
      double ratio = figures.get(ONE_SSD).nanos() / figures.get(HYBRID).nanos();
      double hotRatio = figures.get(HOT).nanos() / figures.get(NETWORK_AWARE).nanos();
      String suffix = cluster.shape() == TreeShape.FLAT ? "" : "_" + cluster.shape().label();
      keys.put("ratio_" + cluster.nodeCount() + suffix, ratio);
      keys.put("ratio_hot_" + cluster.nodeCount() + suffix, hotRatio);
    } else {
      keys.merge("ratio_all_usable_min", worstRatio(figures), Math::min);
    }
  }

  private static double allocatedBytes(Map<String, Figures> figures) {
    return Math.max(figures.get(HYBRID).bytes(), figures.get(NETWORK_AWARE).bytes());
  }

  private static double worstRatio(Map<String, Figures> figures) {
    double hybrid = figures.get(HYBRID).nanos();
    double hot = figures.get(HOT).nanos() / figures.get(NETWORK_AWARE).nanos();
    double one = figures.get(ONE_SSD).nanos() / hybrid;
    return Math.min(hot, Math.min(one, figures.get(ALL_SSD).nanos() / hybrid));
  }

  private void measureReordering() {
    keys.put("reorder_1000_blocks_ms", ReorderBenchmark.slowestMedianMillis());
    Map<String, Double> order = NameNodeOrderBenchmark.figures();
    keys.put(ORDER, order.get(ORDER));
    keys.put(ORDER_TOLD, order.get(ORDER_TOLD));
  }

  /** Time and allocation of one decision. */
  private record Figures(double nanos, double bytes) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.1f (%.0f)", nanos / 1000, bytes);
    }
  }

  private static Map<String, Figures> time(Map<String, Contender> contenders)
      throws RunnerException {
    PlacementBenchmark.use(contenders);
    String[] names = contenders.keySet().toArray(String[]::new);
    Map<String, List<Figures>> rounds = new LinkedHashMap<>();
    for (int round = -1; round < ROUNDS; round++) {
      int millis = round < 0 ? WARM_UP_MILLIS : ITERATION_MILLIS;
      for (RunResult result : new Runner(options(names, millis)).run()) {
        if (round >= 0) {
          rounds
              .computeIfAbsent(result.getParams().getParam("contender"), n -> new ArrayList<>())
              .add(
                  new Figures(
                      result.getPrimaryResult().getScore(),
                      result.getSecondaryResults().get("gc.alloc.rate.norm").getScore()));
        }
      }
    }
    Map<String, Figures> medians = new LinkedHashMap<>();
    for (String name : names) {
      medians.put(
          name,
          new Figures(
              median(rounds.get(name).stream().mapToDouble(Figures::nanos).toArray()),
              median(rounds.get(name).stream().mapToDouble(Figures::bytes).toArray())));
    }
    return medians;
  }

  private static Options options(String[] names, int millis) {
    return new OptionsBuilder()
        .include(PlacementBenchmark.class.getName())
        .param("contender", names)
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(millis))
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private void putInterval(String key, Interval interval) {
    keys.put(key, interval.median());
    keys.put(key + "_low", interval.low());
    keys.put(key + "_high", interval.high());
  }

  private String json() {
    StringJoiner json = new StringJoiner(", ", "{", "}");
    keys.forEach((key, value) -> json.add(String.format(Locale.ROOT, "\"%s\": %.3f", key, value)));
    return json.toString();
  }
}
