package io.tierwise.hadoop.hdfs.tiers;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * The volumes that belong to a tier. A criterion that is empty accepts every volume; all others
 * must hold.
 *
 * @param storageTypes HDFS's storage types, from the {@code [SSD]}-style tags of the data
 *     directories
 * @param racks patterns of network locations such as {@code /rack1} or {@code /region1/*}
 * @param hosts patterns of the DataNode's host name or IP address
 * @param storageIds patterns of storage ids such as {@code DS-...}
 */
public record TierMatch(
    Set<StorageType> storageTypes,
    List<String> racks,
    List<String> hosts,
    List<String> storageIds) {
  public TierMatch {
    storageTypes =
        storageTypes.isEmpty() ? EnumSet.noneOf(StorageType.class) : EnumSet.copyOf(storageTypes);
    racks = List.copyOf(racks);
    hosts = List.copyOf(hosts);
    storageIds = List.copyOf(storageIds);
  }

  /** Matches by storage type alone. */
  public static TierMatch ofType(StorageType type) {
    return new TierMatch(EnumSet.of(type), List.of(), List.of(), List.of());
  }

  /** One volume as HDFS knows it; null for what the asker does not know. */
  public record Volume(
      StorageType type, String networkLocation, String hostName, String address, String storageId) {
    /** A volume of a node that the NameNode knows. */
    public static Volume of(StorageType type, DatanodeInfo node, String storageId) {
      return new Volume(
          type, node.getNetworkLocation(), node.getHostName(), node.getIpAddr(), storageId);
    }
  }

  boolean accepts(Volume volume) {
    return (storageTypes.isEmpty() || storageTypes.contains(volume.type()))
        && anyMatches(racks, volume.networkLocation())
        && (anyMatches(hosts, volume.hostName()) || anyMatches(hosts, volume.address()))
        && anyMatches(storageIds, volume.storageId());
  }

  /** Whether nothing that is known of the volume speaks against it. */
  boolean mayAccept(Volume volume) {
    return (storageTypes.isEmpty() || storageTypes.contains(volume.type()))
        && mayMatch(racks, volume.networkLocation())
        && (mayMatch(hosts, volume.hostName()) || mayMatch(hosts, volume.address()))
        && mayMatch(storageIds, volume.storageId());
  }

  private static boolean mayMatch(List<String> patterns, String text) {
    return text == null || anyMatches(patterns, text);
  }

  static boolean anyMatches(List<String> patterns, String text) {
    if (patterns.isEmpty()) {
      return true;
    }
    if (text == null) {
      return false;
    }
    for (String pattern : patterns) {
      if (new Glob(pattern).matches(text)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "storage-type "
        + (storageTypes.isEmpty()
            ? "any"
            : storageTypes.stream().map(Enum::name).collect(Collectors.joining("|")))
        + (racks.isEmpty() ? "" : ", racks " + racks)
        + (hosts.isEmpty() ? "" : ", hosts " + hosts)
        + (storageIds.isEmpty() ? "" : ", storage-ids " + storageIds);
  }
}
