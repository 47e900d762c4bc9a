package io.tierwise.lab.demo;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.ReadAssignment;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.simulator.bound.ReadBound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The demo from its settings to its results: a cluster, all placements and strategies in turns, the
 * simulator's predictions, the files.
 *
 * @param directory where results go, and the cluster's files while it runs
 * @param repeats of each figure
 * @param speedFactor of the emulated devices and links
 * @param linkGigabits of a node's link before the factor
 * @param seed of data and task places
 * @param quick a third of the data
 */
public record Demo(
    Path directory,
    int repeats,
    double speedFactor,
    double linkGigabits,
    long seed,
    boolean quick) {
  private static final int TASKS_PER_NODE = 2;
  private static final int BLOCKS_PER_FILE = 2;

  /** Own: small enough for five repeats in four minutes, with the build, on two cores. */
  private static final long BLOCK_BYTES = 3L << 19;

  private static final long QUICK_BLOCK_BYTES = 1 << 19;

  public Demo {
    if (repeats < 1) {
      throw OperatorException.badInput("--repeats is " + repeats + ": give at least 1");
    }
    if (!(linkGigabits > 0)) {
      throw OperatorException.badInput(
          "--link-gigabits is " + linkGigabits + ": give a positive number");
    }
  }

  /**
   * The result.
   *
   * @param tiers fastest first
   * @param columns a row's figures and what is predicted of it, by name
   * @param chart as SVG
   */
  public record Result(
      List<BenchRow> rows,
      List<String> tiers,
      PredictionTable predictions,
      List<Map<String, Object>> columns,
      String chart) {
    public DemoSummary summary() {
      return new DemoSummary(rows);
    }
  }

  private EmbeddedPlan cluster() {
    return new EmbeddedPlan(
        EmbeddedPlan.SMALL.rackCount(),
        EmbeddedPlan.SMALL.nodesPerRack(),
        EmbeddedPlan.SMALL.sataNodesPerRack(),
        speedFactor,
        linkGigabits * 1e9 / 8);
  }

  private DfsioPlan plan() {
    long blockBytes = quick ? QUICK_BLOCK_BYTES : BLOCK_BYTES;
    return new DfsioPlan(
        cluster().nodes().size() * TASKS_PER_NODE,
        BLOCKS_PER_FILE * blockBytes,
        blockBytes,
        (short) 3,
        ReadAssignment.DATA_LOCAL_SHARE_DEFAULT,
        seed);
  }

  /** The plan of the demo, in a sentence or two. */
  public String introduction() {
    EmbeddedPlan cluster = cluster();
    return String.format(
        Locale.ROOT,
        "Embedded HDFS: %d DataNodes in %d racks, %s. Devices and links are EMULATED"
            + " (hatS Table 4.2 and %s Gbps, times %s): the data is real and lies in the"
            + " page cache, the time that a device would take is slept.",
        cluster.nodes().size(),
        cluster.rackCount(),
        work(),
        linkGigabits,
        speedFactor);
  }

  /** The amount that is written and read, and the number of repeats. */
  public String work() {
    DfsioPlan plan = plan();
    return String.format(
        Locale.ROOT,
        "%d tasks at once, %s each in blocks of %s, 3 replicas, %s",
        plan.taskCount(),
        Words.bytes(plan.fileBytes()),
        Words.bytes(plan.blockBytes()),
        repeats == 1 ? "once" : "median of " + repeats + " repeats");
  }

  /** Runs all, and writes {@code results.json}, {@code .csv} and {@code .svg}. */
  public Result run(Listener listener) throws IOException {
    Files.createDirectories(directory);
    EmbeddedPlan cluster = cluster();
    DfsioPlan plan = plan();
    List<DemoPlacement> placements =
        DemoPlacement.all(cluster.linkBytesPerSecond() * cluster.speedFactor());
    List<DemoRow> measured;
    List<String> tiers;
    try (DemoRun run = new DemoRun(cluster, plan, placements, directory, listener)) {
      measured = run.compare(repeats);
      tiers = run.tiers();
    }
    // After the cluster has ended: the predictions have the processors for themselves.
    DemoTwin twin = new DemoTwin(cluster, plan);
    Map<RunRecord, ReadBound> bounds = new HashMap<>();
    measured =
        measured.stream()
            .map(row -> row.bounded(run -> bounds.computeIfAbsent(run, twin::bound)))
            .toList();
    PredictionTable predictions =
        PredictionTable.of(new DemoPrediction(twin, placements), measured);
    List<BenchRow> rows = measured.stream().map(DemoRow::row).toList();
    List<Map<String, Object>> columns = rows.stream().map(row -> row.columns(tiers)).toList();
    String measuredColumns = BenchRow.csv(columns);
    predictions.addTo(columns);
    Result result = new Result(rows, tiers, predictions, columns, chart(rows));
    Files.writeString(directory.resolve("results.json"), BenchRow.json(columns));
    Files.writeString(directory.resolve("results.csv"), measuredColumns);
    Files.writeString(directory.resolve("results.svg"), result.chart());
    return result;
  }

  private String chart(List<BenchRow> rows) {
    return DemoChart.svg(
        rows,
        "TestDFSIO on an embedded HDFS, emulated devices (hatS Table 4.2 x " + speedFactor + ")",
        String.format(
            Locale.ROOT,
            "%d DataNodes, %s, links %s Gbps x %s",
            cluster().nodes().size(),
            work(),
            linkGigabits,
            speedFactor));
  }

  /** Writes the figures into the project's own pages. */
  public void writePages(Result result) {
    new DemoPages(result.summary(), result.rows(), result.predictions(), result.tiers(), work())
        .write(result.chart());
  }
}
