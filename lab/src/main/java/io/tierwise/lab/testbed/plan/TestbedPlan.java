package io.tierwise.lab.testbed.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The numbers that a testbed follows from.
 *
 * <p>As in hatS's cluster (three racks, one PCIe SSD a rack, some SATA SSDs, a disk in each node,
 * at most two kinds of device in one node): in each rack, node 1 has a PCIe SSD, a third of the
 * nodes (at least one where there are two) a SATA SSD, and all a disk.
 *
 * @param name prefix of everything made on the machine
 * @param racks number of racks
 * @param nodesPerRack number of DataNodes in each rack
 * @param scaleDown all speeds of devices and links are the real ones divided by this
 * @param linkMegabitsPerSecond speed of a node's link before scaling
 * @param oversubscription what a rack's nodes can send, by what its uplink carries
 * @param volumeMegabytes size of each volume's file system
 * @param plugIns whether the daemons load Tierwise's plug-ins; false for stock HDFS
 */
public record TestbedPlan(
    String name,
    int racks,
    int nodesPerRack,
    int scaleDown,
    int linkMegabitsPerSecond,
    int oversubscription,
    int volumeMegabytes,
    boolean plugIns) {

  private static final String ADDRESS_PREFIX = "10.77.";

  /** The NameNode's node. */
  public static final String NAME_NODE = "nn";

  public TestbedPlan {
    require(name.matches("[a-z][a-z0-9]{0,7}"), "--name", name, "1 to 8 of a-z and 0-9");
    require(racks >= 1 && racks <= 20, "--racks", racks, "from 1 to 20");
    require(nodesPerRack >= 1 && nodesPerRack <= 50, "--nodes", nodesPerRack, "from 1 to 50");
    require(scaleDown >= 1 && scaleDown <= 1000, "--scale-down", scaleDown, "from 1 to 1000");
    require(
        linkMegabitsPerSecond >= scaleDown && linkMegabitsPerSecond <= 1_000_000,
        "--link-megabits",
        linkMegabitsPerSecond,
        "from the scale (" + scaleDown + ") to 1000000");
    require(
        oversubscription >= 1 && oversubscription <= 100,
        "--oversubscription",
        oversubscription,
        "from 1 to 100");
    require(volumeMegabytes >= 64, "--volume-megabytes", volumeMegabytes, "64 or more");
  }

  private static void require(boolean holds, String option, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(option + " is " + value + ": must be " + allowed);
    }
  }

  /** The DataNodes, rack by rack. */
  @JsonIgnore
  public List<NodePlan> dataNodes() {
    List<NodePlan> nodes = new ArrayList<>();
    for (int rack = 1; rack <= racks; rack++) {
      for (int index = 1; index <= nodesPerRack; index++) {
        String node = "r" + rack + "n" + index;
        nodes.add(
            new NodePlan(node, rack, ADDRESS_PREFIX + rack + "." + index, volumes(node, index)));
      }
    }
    return nodes;
  }

  private List<VolumePlan> volumes(String node, int index) {
    int sataNodes = nodesPerRack < 2 ? 0 : Math.max(1, nodesPerRack / 3);
    List<VolumePlan> volumes = new ArrayList<>();
    if (index == 1) {
      volumes.add(volume(node, DeviceKind.PCIE_SSD));
    } else if (index <= 1 + sataNodes) {
      volumes.add(volume(node, DeviceKind.SATA_SSD));
    }
    volumes.add(volume(node, DeviceKind.DISK));
    return volumes;
  }

  private static VolumePlan volume(String node, DeviceKind kind) {
    return new VolumePlan(node + "-" + kind.tier(), kind);
  }

  @JsonIgnore
  public NodePlan nameNode() {
    return new NodePlan(NAME_NODE, 0, ADDRESS_PREFIX + "0.1", List.of());
  }

  /** The NameNode's node, then the DataNodes. */
  @JsonIgnore
  public List<NodePlan> nodes() {
    List<NodePlan> nodes = new ArrayList<>();
    nodes.add(nameNode());
    nodes.addAll(dataNodes());
    return nodes;
  }

  public Optional<NodePlan> node(String nodeName) {
    return nodes().stream().filter(node -> node.name().equals(nodeName)).findFirst();
  }

  /** The speed that a node's link is shaped to. */
  public long linkBitsPerSecond() {
    return scaledLinkBitsPerSecond(linkMegabitsPerSecond);
  }

  /** A link speed of the real world as it is in the testbed. */
  public long scaledLinkBitsPerSecond(int megabitsPerSecond) {
    return megabitsPerSecond * 1_000_000L / scaleDown;
  }

  /** What a rack's uplink carries, each way, where nodes' links have that speed. */
  public long uplinkBitsPerSecond(long linkBitsPerSecond) {
    return linkBitsPerSecond * nodesPerRack / oversubscription;
  }

  /** The network namespace of a node, or of the switches. */
  public String namespace(String nodeName) {
    return name + "-" + nodeName;
  }
}
