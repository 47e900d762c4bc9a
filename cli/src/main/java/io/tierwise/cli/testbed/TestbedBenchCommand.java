package io.tierwise.cli.testbed;

import io.tierwise.cli.TierwiseCommand;
import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.bench.BenchRun;
import io.tierwise.lab.testbed.bench.BenchSettings;
import io.tierwise.lab.testbed.bench.BenchSuite;
import io.tierwise.lab.testbed.bench.ReadsPart;
import io.tierwise.lab.testbed.bench.ReadsSummary;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tierwise testbed bench}. */
@Command(
    name = "bench",
    description = {
      "Measures stock HDFS and Tierwise on the testbed at several link speeds.",
      "Brings a testbed up and takes it down again, unless one with the same settings is up."
    },
    footer = "  tierwise testbed bench --quick --repeats 1")
final class TestbedBenchCommand extends TestbedAction {
  @Spec private CommandSpec command;

  @Mixin private PlanOptions planOptions;

  @Option(
      names = "--tasks",
      paramLabel = "COUNT",
      defaultValue = "2",
      description = "Tasks at the same time on each node (default: ${DEFAULT-VALUE}).")
  private int tasksPerNode;

  @Option(
      names = "--file-megabytes",
      paramLabel = "MB",
      defaultValue = "8",
      description = "Size of each task's file (default: ${DEFAULT-VALUE}).")
  private int fileMegabytes;

  @Option(
      names = "--block-mebibytes",
      paramLabel = "MIB",
      defaultValue = "2",
      description = {
        "Size of a block (default: ${DEFAULT-VALUE}).",
        "Devices are slowed down, so a small block takes as long as a usual one elsewhere."
      })
  private int blockMebibytes;

  @Option(
      names = "--repeats",
      paramLabel = "COUNT",
      defaultValue = "3",
      description = "Repeats of each row; the median counts (default: ${DEFAULT-VALUE}).")
  private int repeats;

  @Option(
      names = "--links",
      paramLabel = "MBIT/S",
      split = ",",
      defaultValue = "10000,1000",
      description = "Link speeds before scaling (default: ${DEFAULT-VALUE}).")
  private List<Integer> links;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Of content and of where tasks run (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--quick", description = "Only what needs no restart of the daemons.")
  private boolean quick;

  @Option(
      names = "--reads",
      description = {
        "Only one order of replicas (auto) beside stock's best and all others.",
        "Ends with its ratios to them as one JSON object."
      })
  private boolean reads;

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      defaultValue = "links,readers,faults",
      description = {
        "Of --reads: all link speeds, few and many readers, something slow"
            + " (default: ${DEFAULT-VALUE}).",
        "few_readers, many_readers, slow_device, slow_link, background_writers: one of"
            + " them alone, with all repeats; wrong_links: links that are told wrongly;"
            + " reports: auto beside itself when readers do not tell how fast they read;"
            + " third_rack: files over three racks beside those over two, written and read;"
            + " untold_uplinks: auto that knows what uplinks carry, and that does not, with"
            + " --oversubscription."
      })
  private Set<ReadsPart> parts;

  @Option(
      names = "--smoke",
      description = {
        "With --reads: one repeat at one link speed with small files.",
        "Shows that all of it runs, and measures nothing."
      })
  private boolean smoke;

  @Override
  void act(Testbed testbed) {
    if (!reads && command.commandLine().getParseResult().hasMatchedOption("--parts")) {
      throw OperatorException.badInput("--parts are parts of --reads: give that, too");
    }
    TestbedPlan plan = planOptions.plan(options().name());
    if (reads && parts.contains(ReadsPart.UNTOLD_UPLINKS) && plan.oversubscription() == 1) {
      throw OperatorException.badInput(
          "--parts untold_uplinks compares nothing with --oversubscription 1: give 2 or more");
    }
    Path results = testbed.folder().resolve("results");
    BenchSettings settings =
        new BenchSettings(
            options().name(),
            testbed.folder().toString(),
            results.toString(),
            tasksPerNode,
            fileMegabytes,
            blockMebibytes,
            repeats,
            links,
            BenchSuite.of(quick, reads, smoke),
            parts,
            seed);
    new BenchRun(testbed, plan, smoke ? settings.smoke() : settings)
        .run(
            BenchProcess.class.getName(),
            List.of(
                TierwiseCommand.class.getName(),
                "testbed",
                "down",
                "--name",
                options().name(),
                "--dir",
                testbed.folder().toString()),
            this::progress);
    if (output().json()) {
      print(results.resolve("results.json"));
    }
    if (reads && !output().json()) {
      // The last line, whatever taking the testbed down has said.
      print(results.resolve(ReadsSummary.FILE));
    }
  }

  private void print(Path result) {
    try {
      output().line(Files.readString(result).strip());
    } catch (IOException e) {
      throw OperatorException.cluster("no results: " + e.getMessage(), e);
    }
  }
}
