package io.tierwise.lab.testbed;

import io.tierwise.core.message.Table;
import io.tierwise.lab.ProcessIdentity;
import io.tierwise.lab.testbed.host.Host;
import io.tierwise.lab.testbed.host.Network;
import io.tierwise.lab.testbed.host.Volumes;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The parts of a testbed that exist at this moment, as the kernel and the NameNode report it.
 *
 * @param plan the numbers it was made from
 * @param liveDataNodes as the NameNode counts them; null when it does not answer
 * @param deadDataNodes as the NameNode counts them; null when it does not answer
 * @param nodes the NameNode, then the DataNodes
 * @param uplinks one a rack
 */
public record TestbedStatus(
    TestbedPlan plan,
    Integer liveDataNodes,
    Integer deadDataNodes,
    List<Node> nodes,
    List<Network.Port> uplinks) {

  /**
   * One node with its daemon, its link and its volumes.
   *
   * @param rack null for the NameNode's node, which is in none
   * @param pid null when no daemon was started
   */
  public record Node(
      String name,
      Integer rack,
      String address,
      Long pid,
      boolean alive,
      Network.Port link,
      List<Volume> volumes) {}

  /** One volume; no device when it is not mounted, no limits when the kernel has none. */
  public record Volume(
      String tier,
      String device,
      boolean mounted,
      Long readBytesPerSecond,
      Long writeBytesPerSecond) {
    /** For people. */
    public String text() {
      return mounted
          ? String.format(
              Locale.ROOT,
              "%s %s %s/%s",
              tier,
              device,
              megabytes(readBytesPerSecond),
              megabytes(writeBytesPerSecond))
          : tier + " not mounted";
    }

    private static String megabytes(Long bytesPerSecond) {
      return bytesPerSecond == null
          ? "unlimited"
          : String.format(Locale.ROOT, "%.1f", bytesPerSecond / 1e6);
    }
  }

  /** All of it in a sentence. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "testbed %s: all speeds are the real ones divided by %d; NameNode: %s",
        plan.name(),
        plan.scaleDown(),
        liveDataNodes == null
            ? "does not answer"
            : liveDataNodes + " DataNodes live, " + deadDataNodes + " dead");
  }

  /** Its nodes and uplinks for people. */
  public Table table() {
    Table table =
        new Table().text("NODE", "RACK", "ADDRESS", "PROCESS", "LINK", "VOLUMES (read/write MB/s)");
    for (Node node : nodes()) {
      table.row(
          node.name(),
          node.rack(),
          node.address(),
          node.pid() == null ? null : node.pid() + (node.alive() ? "" : " ended"),
          node.link().text(),
          node.volumes().isEmpty()
              ? null
              : node.volumes().stream().map(Volume::text).collect(Collectors.joining(", ")));
    }
    for (Network.Port uplink : uplinks()) {
      table.row(uplink.name(), null, null, null, uplink.text(), null);
    }
    return table;
  }

  public static TestbedStatus of(TestbedState state, Host host) {
    TestbedPlan plan = state.plan();
    Map<String, Network.Port> ports =
        new Network(plan)
            .ports().stream().collect(Collectors.toMap(Network.Port::name, Function.identity()));
    Map<String, Volumes.Mounted> mounted = host.volumes().mounted();
    List<Node> nodes = new ArrayList<>();
    for (NodePlan node : plan.nodes()) {
      ProcessIdentity daemon = state.daemons().get(node.name());
      List<Volume> volumes =
          node.volumes().stream().map(volume -> volume(node, volume, mounted, host)).toList();
      nodes.add(
          new Node(
              node.name(),
              node.isNameNode() ? null : node.rack(),
              node.address(),
              daemon == null ? null : daemon.pid(),
              daemon != null && daemon.isAlive(),
              ports.get(node.name()),
              volumes));
    }
    List<Network.Port> uplinks = new ArrayList<>();
    for (int rack = 1; rack <= plan.racks(); rack++) {
      uplinks.add(ports.get("up" + rack));
    }
    Optional<NameNodeProbe.NameSystem> nameSystem = NameNodeProbe.ask(plan);
    return new TestbedStatus(
        plan,
        nameSystem.map(NameNodeProbe.NameSystem::liveDataNodes).orElse(null),
        nameSystem.map(NameNodeProbe.NameSystem::deadDataNodes).orElse(null),
        nodes,
        uplinks);
  }

  private static Volume volume(
      NodePlan node, VolumePlan plan, Map<String, Volumes.Mounted> mounted, Host host) {
    Volumes.Mounted found = mounted.get(plan.name());
    if (found == null) {
      return new Volume(plan.kind().tier(), null, false, null, null);
    }
    return new Volume(
        plan.kind().tier(),
        found.device(),
        true,
        limitOf(host.limits().readLimits(node.name()), found.deviceNumber()),
        limitOf(host.limits().writeLimits(node.name()), found.deviceNumber()));
  }

  private static Long limitOf(List<String> lines, String deviceNumber) {
    return lines.stream()
        .filter(line -> line.startsWith(deviceNumber + " "))
        .map(line -> Long.valueOf(line.substring(deviceNumber.length() + 1)))
        .findFirst()
        .orElse(null);
  }
}
