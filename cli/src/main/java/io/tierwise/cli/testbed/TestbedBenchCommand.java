package io.tierwise.cli.testbed;

import io.tierwise.cli.SignalGuard;
import io.tierwise.cli.testbed.bench.BenchSettings;
import io.tierwise.cli.testbed.bench.BenchSuite;
import io.tierwise.cli.testbed.bench.ReadsPart;
import io.tierwise.cli.testbed.bench.ReadsSummary;
import io.tierwise.cli.testbed.bench.TestbedBench;
import io.tierwise.cli.testbed.host.NodeProcesses;
import io.tierwise.cli.testbed.host.TestbedLock;
import io.tierwise.cli.testbed.host.Watchdog;
import io.tierwise.cli.testbed.plan.DaemonKeys;
import io.tierwise.cli.testbed.plan.HadoopConfiguration;
import io.tierwise.cli.testbed.plan.TestbedPlan;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise testbed bench}. */
@Command(
    name = "bench",
    description = {
      "Measures stock HDFS and Tierwise on the testbed at several link speeds.",
      "Brings a testbed up and takes it down again, unless one with the same settings is up."
    },
    mixinStandardHelpOptions = true)
final class TestbedBenchCommand extends TestbedAction {
  /** Two blocks: the second is asked for while the first are read. */
  private static final int SMOKE_MEGABYTES = 4;

  private static final int BENCH_HEAP_MEGABYTES = 256;

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

  private final AtomicReference<Process> bench = new AtomicReference<>();

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
            + " (default: ${DEFAULT-VALUE})."
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
    TestbedPlan plan = planOptions.plan(options().name());
    Path results = testbed.folder().resolve("results");
    BenchSettings settings =
        new BenchSettings(
            options().name(),
            testbed.folder().toString(),
            results.toString(),
            tasksPerNode,
            smoke ? SMOKE_MEGABYTES : fileMegabytes,
            smoke ? 1 : repeats,
            smoke ? links.subList(0, 1) : links,
            suite(),
            parts,
            seed);
    try (TestbedLock lock = testbed.lock("bench");
        Watchdog watchdog = watchdog(testbed)) {
      boolean ours = testbed.up(plan) == Testbed.Outcome.STARTED;
      try (SignalGuard guard = new SignalGuard(Testbed.LEFT_BEHIND, this::endBench)) {
        try {
          run(testbed, plan, settings);
        } finally {
          boolean interrupted = Thread.interrupted();
          restore(testbed, ours);
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
        }
      }
    }
    if (reads && !output().json()) {
      printRatios(results);
    }
  }

  private BenchSuite suite() {
    if (quick && reads) {
      throw new IllegalArgumentException("--quick and --reads: one of them");
    }
    if (smoke && !reads) {
      throw new IllegalArgumentException("--smoke goes with --reads");
    }
    return quick ? BenchSuite.QUICK : reads ? BenchSuite.READS : BenchSuite.ALL;
  }

  /** The last line, whatever taking the testbed down has said. */
  private void printRatios(Path results) {
    try {
      out().println(Files.readString(results.resolve(ReadsSummary.FILE)).strip());
    } catch (IOException e) {
      throw OperatorException.cluster("no ratios: " + e.getMessage(), e);
    }
  }

  /** When this JVM is killed, somebody else has to take the testbed down. */
  private Watchdog watchdog(Testbed testbed) {
    Path log = testbed.folder().resolve("watchdog.log");
    try {
      Files.createDirectories(testbed.folder());
    } catch (IOException e) {
      throw OperatorException.cluster("cannot make " + testbed.folder() + ": " + e.getMessage(), e);
    }
    return Watchdog.start(
        JavaCommand.tierwise(
            "testbed", "down", "--name", options().name(), "--dir", testbed.folder().toString()),
        log);
  }

  /** The cluster can be reached from inside only: the bench runs in the NameNode's node. */
  private void run(Testbed testbed, TestbedPlan plan, BenchSettings settings) {
    Path file = testbed.folder().resolve("conf").resolve("bench.json");
    settings.write(file);
    JavaCommand java = new JavaCommand(new HadoopConfiguration(plan, testbed.folder()));
    List<String> command =
        java.of(
            plan.nameNode(), BENCH_HEAP_MEGABYTES, TestbedBench.class.getName(), file.toString());
    Path log = testbed.folder().resolve("logs").resolve("bench.log");
    NodeProcesses processes = new NodeProcesses(plan, testbed.host().limits());
    try {
      Process process =
          new ProcessBuilder(processes.inside(TestbedPlan.NAME_NODE, command))
              .redirectError(log.toFile())
              .start();
      bench.set(process);
      process
          .inputReader()
          .lines()
          .forEach(
              line -> {
                progress().println(line);
                progress().flush();
              });
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw OperatorException.cluster("the bench failed: see " + log, null);
      }
      if (output().json()) {
        out().println(Files.readString(Path.of(settings.results(), "results.json")));
      }
    } catch (IOException e) {
      throw OperatorException.cluster("the bench did not run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperatorException.cluster("interrupted", e);
    }
  }

  private void endBench() {
    Process running = bench.get();
    if (running != null) {
      running.destroyForcibly();
    }
  }

  private void restore(Testbed testbed, boolean ours) {
    endBench();
    if (ours) {
      testbed.down();
      return;
    }
    if (!quick) {
      testbed.restartNameNode(DaemonKeys.NONE);
      testbed.restartDataNodes(DaemonKeys.NONE);
    }
    testbed.heal();
  }
}
