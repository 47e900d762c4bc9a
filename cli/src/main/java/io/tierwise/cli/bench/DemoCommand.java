package io.tierwise.cli.bench;

import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Table;
import io.tierwise.lab.demo.Demo;
import io.tierwise.lab.demo.DemoSummary;
import io.tierwise.lab.demo.PredictionTable;
import io.tierwise.lab.dfsio.BenchTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise demo}. */
@Command(
    name = "demo",
    subcommands = {DemoMovementCommand.class, DemoPopularityCommand.class},
    description = {
      "Starts a real HDFS in this process on emulated devices, writes and reads real data under"
          + " stock HDFS and every policy, and compares them."
    },
    footer = "  tierwise demo --quick")
public final class DemoCommand implements Callable<Integer> {
  private static final int REPEATS = 5;

  @Mixin private Output output;
  @Mixin private DemoFolder folder;

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
    int times = repeats != null ? repeats : quick ? 1 : REPEATS;
    Demo demo = new Demo(folder.made(), times, speedFactor, linkGigabits, seed, quick);
    progress(Fold.text(demo.introduction()));
    Demo.Result result =
        demo.run(
            new TerminalListener(output) {
              @Override
              public void say(String line) {
                progress(line);
              }
            });
    if (output.json()) {
      output.printJson(Map.of("rows", result.columns()));
    } else {
      DemoSummary summary = result.summary();
      print(summary.headline(), summary.table(), summary.legend());
      printRest(result);
    }
    if (pages) {
      demo.writePages(result);
    }
    progress("Results: " + folder.path().resolve("results.json") + ", .csv and .svg");
    return 0;
  }

  private void progress(String line) {
    output.err().println(line);
    output.err().flush();
  }

  private void printRest(Demo.Result result) {
    if (!all) {
      output.line("All rows and the simulator's predictions: --all");
      return;
    }
    output.out().println();
    BenchTable table = BenchTable.of(result.rows(), result.tiers());
    Output.print(table.table(), table.legend(), output.out());
    PredictionTable predictions = result.predictions();
    print(PredictionTable.explanation(), predictions.table(), predictions.legend());
  }

  private void print(String head, Table table, List<String> below) {
    output.out().println();
    output.fold(head);
    output.out().println();
    Output.print(table, below, output.out());
  }
}
