package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Starts processes inside a node: in its I/O group before they open anything, in its network
 * namespace, with its host name, in a session of their own so that the terminal's signals do not
 * reach them. Ends them by group and by identity.
 */
public final class NodeProcesses {
  private static final Duration ENDING_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

  /** Joins the I/O group first; every later exec keeps the process id. */
  private static final String ENTER =
      """
      echo $$ >"$1" || exit 71
      namespace=$2; host=$3; shift 3
      exec setsid nsenter --net="/run/netns/$namespace" unshare --uts \
        sh -c 'hostname "$0" && exec "$@"' "$host" "$@"
      """;

  private final TestbedPlan plan;
  private final IoLimits limits;

  public NodeProcesses(TestbedPlan plan, IoLimits limits) {
    this.plan = plan;
    this.limits = limits;
  }

  /** The command that runs {@code command} inside the node. */
  public List<String> inside(String node, List<String> command) {
    List<String> full =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                ENTER,
                "tierwise-testbed",
                limits.joinFile(node).toString(),
                plan.namespace(node),
                node));
    full.addAll(command);
    return full;
  }

  /** Starts a daemon inside the node that outlives this JVM; both its streams go to the log. */
  public ProcessIdentity startDaemon(String node, List<String> command, Path log) {
    try {
      Process process =
          new ProcessBuilder(inside(node, command))
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return ProcessIdentity.of(process.pid())
          .orElseThrow(
              () ->
                  OperatorException.cluster(
                      "the process of node " + node + " ended: see " + log, null));
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot start a process in node " + node + ": " + e.getMessage(), e);
    }
  }

  /**
   * Ends a command and all that it has started, as far as its children have not left it: politely,
   * and by force what is still there after ten seconds. Returns when nothing is left.
   */
  public static void end(Process command) {
    List<ProcessIdentity> all =
        Stream.concat(Stream.of(command.toHandle()), command.descendants())
            .flatMap(process -> ProcessIdentity.of(process.pid()).stream())
            .toList();
    all.stream()
        .filter(ProcessIdentity::isAlive)
        .forEach(process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroy));
    long deadline = System.nanoTime() + ENDING_TIMEOUT.toNanos();
    while (System.nanoTime() < deadline && all.stream().anyMatch(ProcessIdentity::isAlive)) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    kill(all);
  }

  /** Kills all processes of these identities that still live, and waits until they are gone. */
  public static void kill(List<ProcessIdentity> processes) {
    processes.stream()
        .filter(ProcessIdentity::isAlive)
        .forEach(
            process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
    long deadline = System.nanoTime() + KILL_TIMEOUT.toNanos();
    for (ProcessIdentity process : processes) {
      while (process.isAlive()) {
        if (System.nanoTime() > deadline) {
          throw OperatorException.cluster(
              "process " + process.pid() + " did not end in " + KILL_TIMEOUT.toSeconds() + " s",
              null);
        }
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
  }

  /** Kills all that is in the testbed's groups, again while processes that fork leave new ones. */
  public static void killAll(IoLimits limits) {
    limits.lift();
    long deadline = System.nanoTime() + KILL_TIMEOUT.toNanos();
    while (!limits.processes().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw OperatorException.cluster("processes do not end: " + limits.processes(), null);
      }
      kill(
          limits.processes().stream()
              .map(ProcessIdentity::of)
              .flatMap(java.util.Optional::stream)
              .toList());
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
