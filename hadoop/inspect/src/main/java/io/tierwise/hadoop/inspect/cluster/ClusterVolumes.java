package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.core.view.Census;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The volumes of a running cluster with the tiers that they belong to, as the NameNode reports them
 * to an administrator.
 *
 * @param tiers the tier table that the volumes were matched against
 * @param volumes sorted by tier, node and storage id; volumes without a tier last
 */
public record ClusterVolumes(TierConfiguration tiers, List<Volume> volumes) {

  /**
   * One volume.
   *
   * @param matchingTiers indexes of all tiers that accept it: one when the tier table is right
   */
  public record Volume(
      String node,
      String address,
      String rack,
      String adminState,
      String storageId,
      String storageType,
      boolean failed,
      long capacityBytes,
      long usedBytes,
      long remainingBytes,
      List<Integer> matchingTiers) {
    /** Whether blocks may go there: neither the device failed, nor is its node on its way out. */
    public boolean inService() {
      return !failed && adminState.equals(AdminStates.NORMAL.toString());
    }

    /** The node as all commands print it: host name and the port of its data. */
    public String nodeName() {
      return node + address.substring(address.lastIndexOf(':'));
    }

    public int tier() {
      return matchingTiers.isEmpty() ? TierTable.NONE : matchingTiers.get(0);
    }
  }

  /** Reads the live DataNodes' volumes. Needs HDFS's superuser privilege. */
  public static ClusterVolumes read(DistributedFileSystem fs, TierConfiguration tiers)
      throws IOException {
    DatanodeStorageReport[] reports;
    try {
      reports = fs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE);
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof AccessControlException) {
        throw OperatorException.cluster(
            "listing volumes needs HDFS's superuser (see dfs.permissions.superusergroup)", e);
      }
      throw e;
    }
    List<Volume> volumes = new ArrayList<>();
    for (DatanodeStorageReport report : reports) {
      for (StorageReport storage : report.getStorageReports()) {
        volumes.add(volume(report.getDatanodeInfo(), storage, tiers));
      }
    }
    volumes.sort(
        Comparator.comparingInt((Volume v) -> v.tier() < 0 ? Integer.MAX_VALUE : v.tier())
            .thenComparing(Volume::rack)
            .thenComparing(Volume::node)
            .thenComparing(Volume::address)
            .thenComparing(Volume::storageId));
    return new ClusterVolumes(tiers, List.copyOf(volumes));
  }

  private static Volume volume(DatanodeInfo node, StorageReport report, TierConfiguration tiers) {
    String storageId = report.getStorage().getStorageID();
    TierMatch.Volume key =
        TierMatch.Volume.of(report.getStorage().getStorageType(), node, storageId);
    return new Volume(
        node.getHostName(),
        node.getXferAddr(),
        node.getNetworkLocation(),
        node.getAdminState().toString(),
        storageId,
        report.getStorage().getStorageType().name(),
        report.isFailed(),
        report.getCapacity(),
        report.getDfsUsed(),
        report.getRemaining(),
        tiers.matcher().tiersOf(key));
  }

  /** The tier's name; null for a volume that no tier matches. */
  public String tierName(Volume volume) {
    return volume.tier() < 0 ? null : tiers.table().tier(volume.tier()).name();
  }

  /** The tiers that have a volume: bit t for tier t. */
  public long tierSet() {
    return volumes.stream()
        .filter(volume -> volume.tier() != TierTable.NONE)
        .mapToLong(volume -> 1L << volume.tier())
        .reduce(0, (a, b) -> a | b);
  }

  /** The volumes as a simulator takes them. */
  public Census census(RegionNames regions) {
    List<Census.Volume> all = new ArrayList<>();
    for (Volume volume : volumes) {
      all.add(
          new Census.Volume(
              regions.rackOf(volume.rack()),
              regions.regionOf(volume.rack()),
              volume.address(),
              volume.storageType(),
              volume.tier(),
              volume.inService(),
              volume.capacityBytes(),
              volume.remainingBytes()));
    }
    return new Census(tiers.table(), tiers.layouts(), all);
  }

  /** Contradictions between tier table and volumes, one line each; empty when there are none. */
  public List<String> mistakes() {
    List<String> lines = new ArrayList<>();
    for (Volume volume : volumes) {
      if (volume.matchingTiers().size() > 1) {
        lines.add(nameOf(volume) + " is matched by " + narrow(volume.matchingTiers()));
      }
    }
    lines.addAll(withoutAny());
    return lines;
  }

  /** The same, with one line for all volumes of the same tiers, and the tier that they count to. */
  public List<String> mistakesInShort() {
    Map<List<Integer>, List<Volume>> byTiers = new LinkedHashMap<>();
    for (Volume volume : volumes) {
      if (volume.matchingTiers().size() > 1) {
        byTiers.computeIfAbsent(volume.matchingTiers(), of -> new ArrayList<>()).add(volume);
      }
    }
    List<String> lines = new ArrayList<>();
    byTiers.forEach(
        (matching, all) ->
            lines.add(
                Words.count(all.size(), "volume")
                    + ", such as "
                    + nameOf(all.get(0))
                    + ", counted to "
                    + tierName(all.get(0))
                    + ": matched by "
                    + narrow(matching)));
    lines.addAll(withoutAny());
    return lines;
  }

  private static String nameOf(Volume volume) {
    return "volume " + volume.storageId() + " on " + volume.nodeName();
  }

  private String narrow(List<Integer> matching) {
    return "the tiers "
        + matching.stream().map(tier -> tiers.table().tier(tier).name()).toList()
        + ": narrow one of their matches in "
        + tiers.source();
  }

  private List<String> withoutAny() {
    return volumes.isEmpty() || volumes.stream().anyMatch(volume -> volume.tier() >= 0)
        ? List.of()
        : List.of(
            tiers.source()
                + " matches no volume of the cluster: compare its matches with the types,"
                + " racks and hosts that 'tierwise tiers list --volumes' shows");
  }
}
