package io.tierwise.cli.demo;

import io.tierwise.cli.bench.BenchTable;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.lab.demo.DemoChart;
import io.tierwise.lab.demo.DemoPages;
import io.tierwise.lab.demo.DemoPlacement;
import io.tierwise.lab.demo.DemoPrediction;
import io.tierwise.lab.demo.DemoRow;
import io.tierwise.lab.demo.DemoRun;
import io.tierwise.lab.demo.DemoSummary;
import io.tierwise.lab.demo.DemoTwin;
import io.tierwise.lab.demo.PredictionTable;
import io.tierwise.lab.demo.RunRecord;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a real HDFS in this process on emulated devices, writes and reads real data under"
          + " stock HDFS and every policy, and compares them."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int TASKS_PER_NODE = 2;
  private static final int REPEATS = 5;
  private static final int BLOCKS_PER_FILE = 2;

  /** Own: small enough for five repeats in four minutes, with the build, on two cores. */
  private static final long BLOCK_BYTES = 3L << 19;

  @Mixin private Output output;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where the results go (default: ${DEFAULT-VALUE}).",
      defaultValue = "build/demo")
  private Path directory;

  @Option(
      names = "--repeats",
      paramLabel = "COUNT",
      description = "Repeats of each figure, in turns; the median counts (default: 5; quick: 1).")
  private Integer repeats;

  @Option(names = "--all", description = "Print all rows and the simulator's predictions, too.")
  private boolean all;

  @Option(
      names = "--pages",
      description =
          "Write the figures into docs/results/hdfs-demo.md and README.md of the project.")
  private boolean pages;

  @Option(
      names = "--speed-factor",
      paramLabel = "FACTOR",
      description = "Speed of the emulated devices and links (default: ${DEFAULT-VALUE}).",
      defaultValue = "0.25")
  private double speedFactor;

  @Option(
      names = "--link-gigabits",
      paramLabel = "GBPS",
      description = "Speed of a node's link before the factor (default: ${DEFAULT-VALUE}).",
      defaultValue = "10")
  private double linkGigabits;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Makes data and task places again (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--quick",
      description = "A third of the data, once: shows that all works, not how fast.")
  private boolean quick;

  @Override
  public Integer call() throws IOException {
    if (repeats != null && repeats < 1) {
      throw OperatorException.badInput("--repeats is " + repeats + ": give at least 1");
    }
    if (!(linkGigabits > 0)) {
      throw OperatorException.badInput(
          "--link-gigabits is " + linkGigabits + ": give a positive number");
    }
    int times = repeats != null ? repeats : quick ? 1 : REPEATS;
    EmbeddedPlan cluster =
        new EmbeddedPlan(
            EmbeddedPlan.SMALL.rackCount(),
            EmbeddedPlan.SMALL.nodesPerRack(),
            EmbeddedPlan.SMALL.sataNodesPerRack(),
            speedFactor,
            linkGigabits * 1e9 / 8);
    long blockBytes = quick ? 1 << 19 : BLOCK_BYTES;
    DfsioPlan plan =
        new DfsioPlan(
            cluster.nodes().size() * TASKS_PER_NODE,
            BLOCKS_PER_FILE * blockBytes,
            blockBytes,
            (short) 3,
            ReadAssignment.DATA_LOCAL_SHARE_DEFAULT,
            seed);
    Files.createDirectories(directory);
    introduce(cluster, plan, times);
    List<DemoPlacement> placements =
        DemoPlacement.all(cluster.linkBytesPerSecond() * cluster.speedFactor());
    Listener listener =
        new TerminalListener(output, ProgressBar.onTerminal()) {
          @Override
          public void say(String line) {
            output.err().println(line);
            output.err().flush();
          }
        };
    List<DemoRow> rows;
    List<String> tiers;
    try (DemoRun run = new DemoRun(cluster, plan, placements, directory, listener)) {
      rows = run.compare(times);
      tiers = run.tiers();
    }
    // After the cluster has ended: the predictions have the processors for themselves.
    DemoTwin twin = new DemoTwin(cluster, plan);
    Map<RunRecord, ReadBound> bounds = new HashMap<>();
    rows =
        rows.stream()
            .map(row -> row.bounded(run -> bounds.computeIfAbsent(run, twin::bound)))
            .toList();
    PredictionTable predictions = PredictionTable.of(new DemoPrediction(twin, placements), rows);
    report(rows.stream().map(DemoRow::row).toList(), predictions, tiers, cluster, plan);
    return 0;
  }

  private void introduce(EmbeddedPlan cluster, DfsioPlan plan, int times) {
    output
        .err()
        .println(
            Fold.text(
                String.format(
                    Locale.ROOT,
                    "Embedded HDFS: %d DataNodes in %d racks, %s. Devices and links are EMULATED"
                        + " (hatS Table 4.2 and %s Gbps, times %s): the data is real and lies in the"
                        + " page cache, the time that a device would take is slept.",
                    cluster.nodes().size(),
                    cluster.rackCount(),
                    work(plan, times),
                    linkGigabits,
                    speedFactor)));
    output.err().flush();
  }

  private static String work(DfsioPlan plan, int times) {
    return String.format(
        Locale.ROOT,
        "%d tasks at once, %s each in blocks of %s, 3 replicas, %s",
        plan.taskCount(),
        Words.bytes(plan.fileBytes()),
        Words.bytes(plan.blockBytes()),
        times == 1 ? "once" : "median of " + times + " repeats");
  }

  private void report(
      List<BenchRow> rows,
      PredictionTable predictions,
      List<String> tiers,
      EmbeddedPlan cluster,
      DfsioPlan plan)
      throws IOException {
    int times = rows.get(0).reads().size();
    List<Map<String, Object>> columns = rows.stream().map(row -> row.columns(tiers)).toList();
    predictions.addTo(columns);
    Path json = directory.resolve("results.json");
    Path csv = directory.resolve("results.csv");
    Path chart = directory.resolve("results.svg");
    String svg =
        DemoChart.svg(
            rows,
            "TestDFSIO on an embedded HDFS, emulated devices (hatS Table 4.2 x "
                + speedFactor
                + ")",
            String.format(
                Locale.ROOT,
                "%d DataNodes, %s, links %s Gbps x %s",
                cluster.nodes().size(),
                work(plan, times),
                linkGigabits,
                speedFactor));
    Files.writeString(json, Output.toJson(Map.of("rows", columns)) + System.lineSeparator());
    Files.writeString(csv, BenchRow.csv(rows, tiers));
    Files.writeString(chart, svg);
    DemoSummary summary = new DemoSummary(rows);
    if (output.json()) {
      output.printJson(Map.of("rows", columns));
    } else {
      DemoTables.print(summary, output.out());
      printRest(rows, predictions, tiers);
    }
    if (pages) {
      new DemoPages(summary, rows, predictions, tiers, work(plan, times)).write(svg);
    }
    output.err().printf("Results: %s, .csv and .svg%n", json);
    output.err().flush();
  }

  private void printRest(List<BenchRow> rows, PredictionTable predictions, List<String> tiers) {
    if (!all) {
      output.out().println("All rows and the simulator's predictions: --all");
      output.out().flush();
      return;
    }
    output.out().println();
    BenchTable.print(output.out(), rows, tiers, rows.get(0));
    output.out().println();
    DemoTables.print(predictions, output.out());
  }
}
