package io.tierwise.lab.embedded;

import io.tierwise.lab.embedded.device.DeviceModel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;

/**
 * The plan of an embedded cluster: racks of equal nodes, in the mixture of hatS Table 4.2.
 *
 * <p>In each rack the first node has a disk and a PCIe SSD, the next {@code sataNodesPerRack} have
 * a disk and a SATA SSD, the others a disk. Deviation: hatS has racks of nine nodes, three of them
 * with a SATA SSD; with smaller racks the share of fast devices is larger.
 *
 * @param rackCount at most 250
 * @param nodesPerRack at least 1 + {@code sataNodesPerRack}, at most 250
 * @param sataNodesPerRack nodes of a rack that have a SATA SSD
 * @param speedFactor speed of all devices and links as a part of the real one, so that the
 *     processors of the machine are not what limits
 * @param linkBytesPerSecond speed of a node's link before the factor
 */
public record EmbeddedPlan(
    int rackCount,
    int nodesPerRack,
    int sataNodesPerRack,
    double speedFactor,
    double linkBytesPerSecond) {
  /** 10 Gbps, as hatS's InfiniBand switch. */
  public static final double TEN_GIGABIT_BYTES_PER_SECOND = 10e9 / 8;

  /** 1 Gbps, as hatS's Ethernet switch. */
  public static final double ONE_GIGABIT_BYTES_PER_SECOND = 1e9 / 8;

  /** Three racks of three nodes at a tenth of the speed of hatS's devices and of 10 Gbps links. */
  public static final EmbeddedPlan SMALL =
      new EmbeddedPlan(3, 3, 1, 0.1, TEN_GIGABIT_BYTES_PER_SECOND);

  /** 127.1.RACK.NODE: loopback on Linux, and not used by anything else. */
  private static final int ADDRESS_SECOND_BYTE = 1;

  private static final int COUNT_MAX = 250;

  public EmbeddedPlan {
    requireBetween("racks", rackCount, 1, COUNT_MAX);
    requireBetween("nodes per rack", nodesPerRack, 1 + sataNodesPerRack, COUNT_MAX);
    if (!(speedFactor > 0 && speedFactor <= 1)) {
      throw new IllegalArgumentException(
          "speed factor is " + speedFactor + ": give one above 0 and not above 1");
    }
  }

  private static void requireBetween(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + ": " + value + " is not between " + min + " and " + max);
    }
  }

  /** This plan with another factor. */
  public EmbeddedPlan withSpeedFactor(double factor) {
    return new EmbeddedPlan(rackCount, nodesPerRack, sataNodesPerRack, factor, linkBytesPerSecond);
  }

  /** The nodes with their scaled devices. */
  public List<EmbeddedNode> nodes() {
    List<EmbeddedNode> nodes = new ArrayList<>();
    for (int rack = 0; rack < rackCount; rack++) {
      for (int node = 0; node < nodesPerRack; node++) {
        nodes.add(
            new EmbeddedNode(
                nodes.size(),
                String.format(Locale.ROOT, "rack%d-node%d", rack + 1, node + 1),
                "/rack" + (rack + 1),
                address(rack + 1, node + 1),
                devices(node)));
      }
    }
    return nodes;
  }

  private static InetAddress address(int third, int fourth) {
    try {
      return InetAddress.getByAddress(
          new byte[] {127, ADDRESS_SECOND_BYTE, (byte) third, (byte) fourth});
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  private Map<StorageType, DeviceModel> devices(int nodeInRack) {
    Map<StorageType, DeviceModel> devices = new EnumMap<>(StorageType.class);
    devices.put(StorageType.DISK, DeviceModel.DISK.scaled(speedFactor));
    if (nodeInRack == 0) {
      devices.put(StorageType.SSD, DeviceModel.PCIE_SSD.scaled(speedFactor));
    } else if (nodeInRack <= sataNodesPerRack) {
      devices.put(StorageType.SSD, DeviceModel.SATA_SSD.scaled(speedFactor));
    }
    return devices;
  }

  /** The tier table of these nodes, with the scaled figures, as {@code tiers.yaml} says it. */
  public String tiersYaml() {
    StringBuilder yaml =
        new StringBuilder("# Emulated devices: hatS Table 4.2 times " + speedFactor + "\ntiers:\n");
    appendTier(yaml, DeviceModel.PCIE_SSD);
    if (sataNodesPerRack > 0) {
      appendTier(yaml, DeviceModel.SATA_SSD);
    }
    appendTier(yaml, DeviceModel.DISK);
    return yaml.toString();
  }

  private void appendTier(StringBuilder yaml, DeviceModel unscaled) {
    DeviceModel model = unscaled.scaled(speedFactor);
    StorageType type = unscaled.equals(DeviceModel.DISK) ? StorageType.DISK : StorageType.SSD;
    String hosts =
        nodes().stream()
            .filter(node -> model.equals(node.devices().get(type)))
            .map(EmbeddedNode::hostName)
            .collect(Collectors.joining(", "));
    yaml.append("  - name: ").append(model.name()).append('\n');
    yaml.append("    match: {storage-type: [").append(type).append("], hosts: [");
    yaml.append(hosts).append("]}\n    class:\n");
    appendFigure(yaml, "read-megabytes-per-second", model.readBytesPerSecond() / 1e6);
    appendFigure(yaml, "write-megabytes-per-second", model.writeBytesPerSecond() / 1e6);
    yaml.append("      readers-at-peak: ").append(model.readersAtPeak()).append('\n');
  }

  private static void appendFigure(StringBuilder yaml, String key, double value) {
    yaml.append(String.format(Locale.ROOT, "      %s: %.3f%n", key, value));
  }
}
