package io.tierwise.cli.demo;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.bench.BenchRow;
import io.tierwise.cli.bench.BenchTable;
import io.tierwise.cli.bench.DfsioPlan;
import io.tierwise.cli.bench.ReadAssignment;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.embedded.EmbeddedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
      description = "Repeats of each figure, in turns; the median counts (default: 2; quick: 1).")
  private Integer repeats;

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
      description = "A quarter of the data, once: shows that all works, not how fast.")
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
    int times = repeats != null ? repeats : quick ? 1 : 2;
    EmbeddedPlan cluster =
        new EmbeddedPlan(
            EmbeddedPlan.SMALL.rackCount(),
            EmbeddedPlan.SMALL.nodesPerRack(),
            EmbeddedPlan.SMALL.sataNodesPerRack(),
            speedFactor,
            linkGigabits * 1e9 / 8);
    long blockBytes = quick ? 1 << 20 : 2 << 20;
    DfsioPlan plan =
        new DfsioPlan(
            cluster.nodes().size() * TASKS_PER_NODE,
            quick ? 2 * blockBytes : 3 * blockBytes,
            blockBytes,
            (short) 3,
            ReadAssignment.DATA_LOCAL_SHARE_DEFAULT,
            seed);
    Files.createDirectories(directory);
    introduce(cluster, plan, times);
    List<DemoPlacement> placements =
        DemoPlacement.all(cluster.linkBytesPerSecond() * cluster.speedFactor());
    try (DemoRun run = new DemoRun(cluster, plan, placements, directory, output.err())) {
      List<DemoRow> rows = run.compare(times);
      PredictionTable predictions =
          PredictionTable.of(new DemoPrediction(new DemoTwin(cluster, plan), placements), rows);
      report(rows.stream().map(DemoRow::row).toList(), predictions, run.tiers(), cluster, plan);
    }
    return 0;
  }

  private void introduce(EmbeddedPlan cluster, DfsioPlan plan, int times) {
    output
        .err()
        .printf(
            Locale.ROOT,
            "Embedded HDFS: %d DataNodes in %d racks. Devices and links are EMULATED: hatS Table 4.2"
                + " and %s Gbps, times %s.%nAll data lies in this machine's page cache; the time a"
                + " device would take is slept.%n%d tasks, %s each in blocks of %s, 3 replicas,"
                + " median of %d.%n",
            cluster.nodes().size(),
            cluster.rackCount(),
            linkGigabits,
            speedFactor,
            plan.taskCount(),
            Output.bytes(plan.fileBytes()),
            Output.bytes(plan.blockBytes()),
            times);
    output.err().flush();
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
    Files.writeString(json, Output.toJson(columns) + System.lineSeparator());
    Files.writeString(csv, BenchTable.csv(rows, tiers));
    Files.writeString(
        chart,
        DemoChart.svg(
            rows,
            tiers,
            "TestDFSIO on an embedded HDFS, emulated devices (hatS Table 4.2 x "
                + speedFactor
                + ")",
            String.format(
                Locale.ROOT,
                "%d DataNodes, %d tasks of %s, links %s Gbps x %s, median of %d",
                cluster.nodes().size(),
                plan.taskCount(),
                Output.bytes(plan.fileBytes()),
                linkGigabits,
                speedFactor,
                times)));
    if (output.json()) {
      output.printJson(columns);
    } else {
      BenchTable.print(output.out(), rows, tiers, rows.get(0));
      output.out().println();
      output.out().println("Devices and links are emulated; data was read from the page cache.");
      output.out().println();
      predictions.print(output.out());
    }
    output.err().printf("Results: %s, %s, %s%n", json, csv, chart);
    output.err().flush();
  }
}
