package io.tierwise.lab.testbed;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import io.tierwise.lab.SignalGuard;
import io.tierwise.lab.testbed.host.FolderRecord;
import io.tierwise.lab.testbed.host.Folders;
import io.tierwise.lab.testbed.host.Host;
import io.tierwise.lab.testbed.host.Network;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.host.Prerequisites;
import io.tierwise.lab.testbed.host.TestbedLock;
import io.tierwise.lab.testbed.plan.DaemonKeys;
import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One testbed: brings it up, takes it down, says what there is.
 *
 * <p>Going up is all or nothing: what fails or is interrupted is undone; what was killed is undone
 * by the next {@code up} or {@code down}, which ask the kernel what is there.
 */
public final class Testbed {
  private static final long LINK_BITS_PER_SECOND_MIN = 100_000;

  /** The message when a signal ends a command before it has undone its work. */
  public static final String LEFT_BEHIND =
      "tierwise testbed: it was not cleaned up: run 'tierwise testbed down'";

  private final String name;
  private final Path folder;
  private final Host host;
  private final Consumer<String> progress;

  /**
   * @param name prefix of all that is made
   * @param folder where its files stand
   * @param progress hears how far it is, line by line
   */
  public Testbed(String name, Path folder, Consumer<String> progress) {
    this.name = name;
    this.folder = folder;
    this.host = new Host(name, folder);
    this.progress = progress;
  }

  /** The outcome of {@link #up}. */
  public enum Outcome {
    STARTED,
    WAS_UP
  }

  /** Throws, naming the reason, when this machine can have no testbed. */
  public static void requireMachine() {
    Prerequisites.obstacle()
        .ifPresent(
            reason -> {
              throw OperatorException.cluster(reason, null);
            });
  }

  /** Takes the testbed's lock for a command that changes it. */
  public TestbedLock lock(String command) {
    return TestbedLock.take(name, command);
  }

  public Path folder() {
    return folder;
  }

  public Host host() {
    return host;
  }

  /** Brings it up, unless it is up with the same settings. The caller holds the lock. */
  public Outcome up(TestbedPlan plan) {
    requireNoOtherFolder();
    Optional<TestbedState> state = TestbedState.read(folder);
    if (state.isPresent() && state.get().allDaemonsLive()) {
      if (state.get().plan().equals(plan)) {
        return Outcome.WAS_UP;
      }
      throw OperatorException.cluster(
          "the testbed \""
              + name
              + "\" is up with other settings ("
              + state.get().plan()
              + "): run 'tierwise testbed down' first, or take another --name",
          null);
    }
    try (SignalGuard guard = new SignalGuard(() -> progress.accept(LEFT_BEHIND))) {
      try {
        make(plan);
      } catch (RuntimeException e) {
        // An interrupt has done its work; the commands that undo must not see it.
        boolean interrupted = Thread.interrupted();
        progress.accept("undoing what was made");
        down();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        throw e;
      }
    }
    return Outcome.STARTED;
  }

  private void make(TestbedPlan plan) {
    down();
    Folders.deleteAll(folder, "logs");
    FolderRecord.write(name, folder);
    new TestbedState(plan, false, Map.of()).write(folder);
    progress.accept("making " + plan.nodes().size() + " namespaces, their links and volumes");
    host.create(plan);
    HadoopConfiguration configuration = new HadoopConfiguration(plan, folder);
    configuration.write();
    WebPages.unpack(configuration.webFolder());
    progress.accept("starting a NameNode and " + plan.dataNodes().size() + " DataNodes");
    Map<String, ProcessIdentity> daemons = daemons(plan).startAll();
    new TestbedState(plan, true, daemons).write(folder);
  }

  private void requireNoOtherFolder() {
    FolderRecord.read(name)
        .filter(other -> !other.equals(folder))
        .ifPresent(
            other -> {
              if (!new Host(name, other).leftovers().isEmpty()) {
                throw OperatorException.cluster(
                    "a testbed \""
                        + name
                        + "\" stands in "
                        + other
                        + ": run 'tierwise testbed down --dir "
                        + other
                        + "', or take another --name",
                    null);
              }
            });
  }

  public Daemons daemons(TestbedPlan plan) {
    return new Daemons(plan, folder, new NodeProcesses(plan, host.limits()));
  }

  /** Removes all of it but logs and results. The caller holds the lock. */
  public void down() {
    host.removeAll();
    Folders.deleteAll(folder, "conf", "namenode", "tmp");
    TestbedState.delete(folder);
    FolderRecord.delete(name);
  }

  /** The testbed's state, which must be up. */
  public TestbedState requireUp() {
    TestbedState state =
        TestbedState.read(folder)
            .orElseThrow(() -> notUp("no testbed \"" + name + "\" is up in " + folder));
    if (!state.complete()) {
      throw notUp(
          "the testbed \""
              + name
              + "\" is incomplete (on the machine: "
              + host.leftovers().size()
              + " things): its 'up' still runs or was killed");
    }
    return state;
  }

  private static OperatorException notUp(String reason) {
    return OperatorException.cluster(reason + ": run 'tierwise testbed up' first", null);
  }

  /** The plan of the testbed, which must be up. */
  public TestbedPlan plan() {
    return requireUp().plan();
  }

  /** The status of the testbed. */
  public TestbedStatus status() {
    return TestbedStatus.of(requireUp(), host);
  }

  /** Undoes all faults: links and volumes at full speed, dead daemons started. The caller locks. */
  public void heal() {
    TestbedState state = requireUp();
    network().heal(state.plan().linkBitsPerSecond());
    host.restoreVolumes(state.plan());
    start(
        state,
        state.plan().nodes().stream()
            .filter(node -> !state.daemons().get(node.name()).isAlive())
            .toList());
  }

  /** Starts the NameNode anew with these keys on top of its configuration; data stays. */
  public void restartNameNode(DaemonKeys keys) {
    restart(keys, List.of(plan().nameNode()));
  }

  /** Starts the DataNodes anew with these keys on top of their configuration; data stays. */
  public void restartDataNodes(DaemonKeys keys) {
    restart(keys, plan().dataNodes());
  }

  private void restart(DaemonKeys keys, List<NodePlan> nodes) {
    TestbedState state = requireUp();
    new HadoopConfiguration(state.plan(), folder).write(keys);
    NodeProcesses.kill(nodes.stream().map(node -> state.daemons().get(node.name())).toList());
    start(state, nodes);
  }

  private void start(TestbedState state, List<NodePlan> nodes) {
    Daemons daemons = daemons(state.plan());
    Map<String, ProcessIdentity> live = new LinkedHashMap<>(state.daemons());
    nodes.forEach(node -> live.put(node.name(), daemons.start(node)));
    new TestbedState(state.plan(), true, live).write(folder);
    // The NameNode may still count as live what was dead for a moment: the node itself is asked.
    nodes.stream()
        .filter(node -> !node.isNameNode())
        .forEach(node -> daemons.awaitServing(node, live.get(node.name())));
    daemons.awaitLive(live);
  }

  /**
   * A command inside a node: its network, host name and limits, and Hadoop's configuration there.
   */
  public ProcessBuilder command(NodePlan node, List<String> words) {
    TestbedPlan plan = plan();
    HadoopConfiguration configuration = new HadoopConfiguration(plan, folder);
    NodeProcesses processes = new NodeProcesses(plan, host.limits());
    ProcessBuilder builder = new ProcessBuilder(processes.inside(node.name(), words));
    String hosts = "-Djdk.net.hosts.file=" + configuration.hostsFile();
    builder.environment().put("HADOOP_CONF_DIR", configuration.of(node).toString());
    builder.environment().put("TIERWISE_JAVA_OPTS", hosts);
    builder.environment().put("HADOOP_OPTS", hosts);
    return builder;
  }

  /**
   * Slows a node's link down.
   *
   * @param megabitsPerSecond before scaling
   * @return bits per second after it
   */
  public long slowLink(NodePlan node, int megabitsPerSecond) {
    TestbedPlan plan = plan();
    long bitsPerSecond = plan.scaledLinkBitsPerSecond(megabitsPerSecond);
    if (bitsPerSecond < LINK_BITS_PER_SECOND_MIN) {
      throw new IllegalArgumentException(
          "--megabits is "
              + megabitsPerSecond
              + ": scaled down by "
              + plan.scaleDown()
              + " it must be at least 0.1 Mbit/s");
    }
    network().shapeNode(node, bitsPerSecond);
    return bitsPerSecond;
  }

  /** Cuts a node off from all others, or a rack from the other racks. */
  public void partition(String nodeOrRack) {
    TestbedPlan plan = plan();
    int rack = NodeNames.rack(plan, nodeOrRack);
    if (rack > 0) {
      network().partitionRack(rack);
    } else {
      network().partitionNode(NodeNames.require(plan, nodeOrRack));
    }
  }

  /** Kills the daemon of a node. */
  public void kill(NodePlan node) {
    NodeProcesses.kill(List.of(requireUp().daemons().get(node.name())));
  }

  public Network network() {
    return new Network(plan());
  }
}
