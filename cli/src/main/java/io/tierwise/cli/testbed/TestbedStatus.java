package io.tierwise.cli.testbed;

import io.tierwise.cli.output.TextTable;
import io.tierwise.cli.testbed.host.Host;
import io.tierwise.cli.testbed.host.Network;
import io.tierwise.cli.testbed.host.ProcessIdentity;
import io.tierwise.cli.testbed.host.Volumes;
import io.tierwise.cli.testbed.plan.NodePlan;
import io.tierwise.cli.testbed.plan.TestbedPlan;
import io.tierwise.cli.testbed.plan.VolumePlan;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What there is of a testbed at this moment, as the kernel and the NameNode report it.
 *
 * @param plan the numbers it was made from
 * @param liveDataNodes as the NameNode counts them; -1 when it does not answer
 * @param deadDataNodes as the NameNode counts them; -1 when it does not answer
 * @param nodes the NameNode, then the DataNodes
 * @param uplinks one a rack
 */
public record TestbedStatus(
    TestbedPlan plan,
    int liveDataNodes,
    int deadDataNodes,
    List<Node> nodes,
    List<Network.Port> uplinks) {

  /** One node with its daemon, its link and its volumes. */
  public record Node(
      String name,
      int rack,
      String address,
      long pid,
      boolean alive,
      Network.Port link,
      List<Volume> volumes) {}

  /** One volume; the limits are -1 when the kernel has none. */
  public record Volume(
      String tier,
      String device,
      boolean mounted,
      long readBytesPerSecond,
      long writeBytesPerSecond) {}

  static TestbedStatus of(TestbedState state, Host host) {
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
              node.rack(),
              node.address(),
              daemon == null ? -1 : daemon.pid(),
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
        nameSystem.map(NameNodeProbe.NameSystem::liveDataNodes).orElse(-1),
        nameSystem.map(NameNodeProbe.NameSystem::deadDataNodes).orElse(-1),
        nodes,
        uplinks);
  }

  private static Volume volume(
      NodePlan node, VolumePlan plan, Map<String, Volumes.Mounted> mounted, Host host) {
    Volumes.Mounted found = mounted.get(plan.name());
    if (found == null) {
      return new Volume(plan.kind().tier(), "", false, -1, -1);
    }
    return new Volume(
        plan.kind().tier(),
        found.device(),
        true,
        limitOf(host.limits().readLimits(node.name()), found.deviceNumber()),
        limitOf(host.limits().writeLimits(node.name()), found.deviceNumber()));
  }

  private static long limitOf(List<String> lines, String deviceNumber) {
    return lines.stream()
        .filter(line -> line.startsWith(deviceNumber + " "))
        .mapToLong(line -> Long.parseLong(line.substring(deviceNumber.length() + 1)))
        .findFirst()
        .orElse(-1);
  }

  void print(PrintWriter out) {
    out.printf(
        "testbed %s: all speeds are the real ones divided by %d; NameNode: %s%n%n",
        plan.name(),
        plan.scaleDown(),
        liveDataNodes < 0
            ? "does not answer"
            : liveDataNodes + " DataNodes live, " + deadDataNodes + " dead");
    TextTable table =
        new TextTable()
            .left("NODE")
            .left("RACK")
            .left("ADDRESS")
            .left("PROCESS")
            .left("LINK")
            .left("VOLUMES (read/write MB/s)");
    for (Node node : nodes) {
      table.row(
          node.name(),
          node.rack() == 0 ? null : node.rack(),
          node.address(),
          node.pid() < 0 ? null : node.pid() + (node.alive() ? "" : " ended"),
          link(node.link()),
          node.volumes().isEmpty()
              ? null
              : node.volumes().stream().map(TestbedStatus::text).collect(Collectors.joining(", ")));
    }
    for (Network.Port uplink : uplinks) {
      table.row(uplink.name(), null, null, null, link(uplink), null);
    }
    table.print(out);
  }

  private static String link(Network.Port port) {
    return (port.up() ? "up " : "DOWN ") + port.rate();
  }

  private static String text(Volume volume) {
    return volume.mounted()
        ? String.format(
            "%s %s %.1f/%.1f",
            volume.tier(),
            volume.device(),
            volume.readBytesPerSecond() / 1e6,
            volume.writeBytesPerSecond() / 1e6)
        : volume.tier() + " not mounted";
  }
}
