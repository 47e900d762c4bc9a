package io.tierwise.lab.testbed.bench;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.SignalGuard;
import io.tierwise.lab.testbed.JavaCommand;
import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.host.TestbedLock;
import io.tierwise.lab.testbed.host.Watchdog;
import io.tierwise.lab.testbed.plan.DaemonKeys;
import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A bench from outside: brings the testbed up unless it is up, runs a program in the NameNode's
 * node, and leaves the testbed as it was.
 */
public final class BenchRun {
  private static final int HEAP_MEGABYTES = 256;

  private final Testbed testbed;
  private final TestbedPlan plan;
  private final BenchSettings settings;
  private final AtomicReference<Process> bench = new AtomicReference<>();

  public BenchRun(Testbed testbed, TestbedPlan plan, BenchSettings settings) {
    this.testbed = testbed;
    this.plan = plan;
    this.settings = settings;
  }

  /**
   * Runs it all.
   *
   * @param program main class of the process inside, which takes the file of the settings
   * @param cleanUp main class and arguments of what takes the testbed down when this JVM is killed
   * @param lines hears what that process prints
   */
  public void run(String program, List<String> cleanUp, Consumer<String> lines) {
    try (TestbedLock lock = testbed.lock("bench");
        Watchdog watchdog = watchdog(cleanUp)) {
      boolean ours = testbed.up(plan) == Testbed.Outcome.STARTED;
      Runnable late = () -> lines.accept(Testbed.LEFT_BEHIND);
      try (SignalGuard guard = new SignalGuard(late, this::endBench)) {
        try {
          runInside(program, lines);
        } finally {
          boolean interrupted = Thread.interrupted();
          restore(ours);
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
        }
      }
    }
  }

  /** When this JVM is killed, somebody else has to take the testbed down. */
  private Watchdog watchdog(List<String> cleanUp) {
    Path log = testbed.folder().resolve("watchdog.log");
    try {
      Files.createDirectories(testbed.folder());
    } catch (IOException e) {
      throw OperatorException.cluster("cannot make " + testbed.folder() + ": " + e.getMessage(), e);
    }
    return Watchdog.start(JavaCommand.outside(cleanUp), log);
  }

  /** The cluster can be reached from inside only: the bench runs in the NameNode's node. */
  private void runInside(String program, Consumer<String> lines) {
    Path file = testbed.folder().resolve("conf").resolve("bench.json");
    settings.write(file);
    JavaCommand java = new JavaCommand(new HadoopConfiguration(plan, testbed.folder()));
    List<String> command = java.of(plan.nameNode(), HEAP_MEGABYTES, program, file.toString());
    Path log = testbed.folder().resolve("logs").resolve("bench.log");
    NodeProcesses processes = new NodeProcesses(plan, testbed.host().limits());
    try {
      Process process =
          new ProcessBuilder(processes.inside(TestbedPlan.NAME_NODE, command))
              .redirectError(log.toFile())
              .start();
      bench.set(process);
      process.inputReader().lines().forEach(lines);
      if (process.waitFor() != 0) {
        throw OperatorException.cluster("the bench failed: see " + log, null);
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

  private void restore(boolean ours) {
    endBench();
    if (ours) {
      testbed.down();
      return;
    }
    if (settings.suite() != BenchSuite.QUICK) {
      testbed.restartNameNode(DaemonKeys.NONE);
      testbed.restartDataNodes(DaemonKeys.NONE);
    }
    testbed.heal();
  }
}
