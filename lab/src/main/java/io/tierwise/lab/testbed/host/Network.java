package io.tierwise.lab.testbed.host;

import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The testbed's network: one namespace for each node and one, {@code NAME-net}, that holds a bridge
 * for each rack and a core bridge between them. Nothing is connected to the machine's own network,
 * so no packet leaves.
 *
 * <p>In {@code NAME-net}, a node's port has the node's name, the uplink of rack 2 is {@code up2} on
 * the rack's side and {@code down2} on the core's. A link is shaped at both ends, each end its
 * sending direction. An uplink carries the links of all nodes of its rack, unless the plan
 * oversubscribes it: hatS's nodes hang at one switch.
 */
public final class Network {
  private static final String SWITCHES = "net";
  private static final String NODE_DEVICE = "eth0";
  private static final Pattern RATE =
      Pattern.compile("qdisc tbf .* dev (\\S+) .*rate ([0-9.]+)([KMGT]?)bit");

  private final TestbedPlan plan;
  private final String switches;

  public Network(TestbedPlan plan) {
    this.plan = plan;
    this.switches = plan.namespace(SWITCHES);
  }

  /** Makes all namespaces, bridges and links, and shapes the links. */
  public void create() {
    HostCommand.run("ip", "netns", "add", switches);
    addBridge("core");
    for (int rack = 1; rack <= plan.racks(); rack++) {
      addBridge("rack" + rack);
      HostCommand.run(
          "ip",
          "-n",
          switches,
          "link",
          "add",
          "up" + rack,
          "type",
          "veth",
          "peer",
          "name",
          "down" + rack);
      plug("up" + rack, "rack" + rack);
      plug("down" + rack, "core");
    }
    for (NodePlan node : plan.nodes()) {
      addNode(node);
    }
    shape(plan.linkBitsPerSecond());
  }

  private void addBridge(String name) {
    HostCommand.run("ip", "-n", switches, "link", "add", name, "type", "bridge");
    HostCommand.run("ip", "-n", switches, "link", "set", name, "up");
  }

  private void plug(String port, String bridge) {
    HostCommand.run("ip", "-n", switches, "link", "set", port, "master", bridge, "up");
  }

  private void addNode(NodePlan node) {
    String namespace = plan.namespace(node.name());
    HostCommand.run("ip", "netns", "add", namespace);
    HostCommand.run(
        "ip",
        "-n",
        switches,
        "link",
        "add",
        node.name(),
        "type",
        "veth",
        "peer",
        "name",
        NODE_DEVICE,
        "netns",
        namespace);
    plug(node.name(), node.isNameNode() ? "core" : "rack" + node.rack());
    HostCommand.run(
        "ip", "-n", namespace, "address", "add", node.address() + "/16", "dev", NODE_DEVICE);
    HostCommand.run("ip", "-n", namespace, "link", "set", NODE_DEVICE, "up");
    HostCommand.run("ip", "-n", namespace, "link", "set", "lo", "up");
  }

  /** Gives all links of nodes this speed, and the uplinks what follows from it. */
  public void shape(long linkBitsPerSecond) {
    for (NodePlan node : plan.nodes()) {
      shapeNode(node, linkBitsPerSecond);
    }
    for (int rack = 1; rack <= plan.racks(); rack++) {
      shapeDevice(switches, "up" + rack, plan.uplinkBitsPerSecond(linkBitsPerSecond));
      shapeDevice(switches, "down" + rack, plan.uplinkBitsPerSecond(linkBitsPerSecond));
    }
  }

  /** Gives the link of one node this speed, in both directions. */
  public void shapeNode(NodePlan node, long bitsPerSecond) {
    shapeDevice(switches, node.name(), bitsPerSecond);
    shapeDevice(plan.namespace(node.name()), NODE_DEVICE, bitsPerSecond);
  }

  private static void shapeDevice(String namespace, String device, long bitsPerSecond) {
    // A segment of a veth has up to 64 KiB and must fit into the bucket, or the kernel cuts it up;
    // 2 ms of traffic keep a fast link from idling between two runs of the shaper.
    long burstBytes = Math.max(80_000, bitsPerSecond / 8 / 500);
    HostCommand.run(
        "tc",
        "-n",
        namespace,
        "qdisc",
        "replace",
        "dev",
        device,
        "root",
        "tbf",
        "rate",
        bitsPerSecond + "bit",
        "burst",
        Long.toString(burstBytes),
        "latency",
        "50ms");
  }

  /** Cuts one node off from all others. */
  public void partitionNode(NodePlan node) {
    HostCommand.run("ip", "-n", switches, "link", "set", node.name(), "down");
  }

  /** Cuts a rack off from the other racks and the NameNode; its nodes still reach each other. */
  public void partitionRack(int rack) {
    HostCommand.run("ip", "-n", switches, "link", "set", "up" + rack, "down");
  }

  /** Undoes all partitions and gives all links the same speed again. */
  public void heal(long linkBitsPerSecond) {
    for (NodePlan node : plan.nodes()) {
      HostCommand.run("ip", "-n", switches, "link", "set", node.name(), "up");
    }
    for (int rack = 1; rack <= plan.racks(); rack++) {
      HostCommand.run("ip", "-n", switches, "link", "set", "up" + rack, "up");
    }
    shape(linkBitsPerSecond);
  }

  /**
   * One port of a switch.
   *
   * @param name the node's name, or {@code up2} for the uplink of rack 2
   * @param up false when a fault took it down
   * @param bitsPerSecond what it is shaped to; null when it is not
   */
  public record Port(String name, boolean up, Long bitsPerSecond) {
    /** State and speed, for people. */
    public String text() {
      String rate =
          bitsPerSecond == null
              ? "unshaped"
              : String.format(Locale.ROOT, "%.4g Mbit/s", bitsPerSecond / 1e6);
      return (up ? "up " : "DOWN ") + rate;
    }
  }

  /** The ports of the switches as the kernel reports them: nodes, then uplinks. */
  public List<Port> ports() {
    Map<String, Long> rates = new LinkedHashMap<>();
    HostCommand.run("tc", "-n", switches, "qdisc", "show")
        .lines()
        .map(RATE::matcher)
        .filter(Matcher::find)
        .forEach(matcher -> rates.put(matcher.group(1), bits(matcher.group(2), matcher.group(3))));
    String links = HostCommand.run("ip", "-n", switches, "-o", "link", "show");
    List<String> names = new ArrayList<>();
    plan.nodes().forEach(node -> names.add(node.name()));
    for (int rack = 1; rack <= plan.racks(); rack++) {
      names.add("up" + rack);
    }
    return names.stream().map(name -> new Port(name, isUp(links, name), rates.get(name))).toList();
  }

  /** As {@code tc} prints rates: {@code 50Mbit}, thousands being 1000. */
  private static long bits(String number, String prefix) {
    int thousands = prefix.isEmpty() ? 0 : "KMGT".indexOf(prefix) + 1;
    return new BigDecimal(number).scaleByPowerOfTen(3 * thousands).longValue();
  }

  private static boolean isUp(String links, String name) {
    Pattern flags = Pattern.compile("^\\d+: " + name + "@.*<([^>]*)>", Pattern.MULTILINE);
    Matcher matcher = flags.matcher(links);
    return matcher.find() && List.of(matcher.group(1).split(",")).contains("UP");
  }

  /** The namespaces on this machine whose name starts with {@code NAME-}. */
  public static List<String> namespacesOf(String testbedName) {
    return HostCommand.run("ip", "netns", "list")
        .lines()
        .map(line -> line.split(" ")[0])
        .filter(name -> name.startsWith(testbedName + "-"))
        .toList();
  }

  /** Removes all namespaces of the testbed; links and bridges go with them. */
  public static void removeAll(String testbedName) {
    for (String namespace : namespacesOf(testbedName)) {
      HostCommand.run("ip", "netns", "delete", namespace);
    }
  }
}
