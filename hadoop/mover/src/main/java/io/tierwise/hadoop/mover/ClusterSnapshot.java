package io.tierwise.hadoop.mover;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.LoadView;
import io.tierwise.core.view.Refusal;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** The live volumes of a cluster as a policy sees them, and the way back to HDFS's names. */
final class ClusterSnapshot {
  private final ArrayClusterView view;
  private final LoadView load;
  private final List<Endpoint> endpoints;
  private final Map<String, Integer> volumes;
  private final Names names;

  private ClusterSnapshot(
      ArrayClusterView view,
      LoadView load,
      List<Endpoint> endpoints,
      Map<String, Integer> volumes,
      Names names) {
    this.view = view;
    this.load = load;
    this.endpoints = endpoints;
    this.volumes = volumes;
    this.names = names;
  }

  /**
   * How volumes become tiers and regions, and what of them stays free.
   *
   * @param copyRoomBytes that a volume must have free for a copy from another node
   * @param storagePolicy the id of HDFS's storage policy for files without one
   */
  record Names(
      TierConfiguration tiers,
      RegionNames regions,
      List<String> regionOrder,
      long keptFreeBytes,
      long copyRoomBytes,
      byte storagePolicy) {
    static Names of(
        Configuration conf,
        TierConfiguration tiers,
        RegionNames regions,
        List<String> regionOrder,
        FsServerDefaults ofNameNode) {
      long kept = KeptFree.of(key -> Optional.ofNullable(conf.get(key)));
      return new Names(
          tiers,
          regions,
          regionOrder,
          kept,
          ofNameNode.getBlockSize(),
          ofNameNode.getDefaultStoragePolicyId());
    }

    private int regionIndex(DatanodeInfo node) {
      int index = regionOrder.indexOf(regions.regionOf(node.getNetworkLocation()));
      return index < 0 ? Integer.MAX_VALUE : index;
    }
  }

  /**
   * @param keptFreeShare of each volume's capacity that is not room
   */
  static ClusterSnapshot of(DatanodeStorageReport[] reports, Names names, double keptFreeShare) {
    List<DatanodeStorageReport> sorted = new ArrayList<>(List.of(reports));
    // Policies go by the numbers of regions, which are given out in this order, and draw by the
    // numbers of nodes: those of a scenario that was captured from the cluster.
    sorted.sort(
        Comparator.comparingInt(
                (DatanodeStorageReport report) -> names.regionIndex(report.getDatanodeInfo()))
            .thenComparing(report -> report.getDatanodeInfo().getNetworkLocation())
            .thenComparing(report -> report.getDatanodeInfo().getXferAddr()));
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(names.tiers().table());
    List<Endpoint> endpoints = new ArrayList<>();
    Map<String, Integer> volumes = new HashMap<>();
    List<Integer> unusable = new ArrayList<>();
    List<Refusal> nodeRefusals = new ArrayList<>();
    for (DatanodeStorageReport report : sorted) {
      DatanodeInfo node = report.getDatanodeInfo();
      String location = node.getNetworkLocation();
      String name = node.getHostName() + ":" + node.getXferPort();
      RegionNames regions = names.regions();
      int nodeId = builder.addNode(name, regions.rackOf(location), regions.regionOf(location));
      nodeRefusals.add(refusalOf(node));
      for (StorageReport storage : report.getStorageReports()) {
        Endpoint endpoint = endpoint(node, storage, names.tiers());
        long kept = Math.max(names.keptFreeBytes(), (long) (keptFreeShare * storage.getCapacity()));
        int volume =
            builder.addVolume(nodeId, endpoint.tier(), Math.max(0, storage.getRemaining() - kept));
        endpoints.add(endpoint);
        volumes.put(endpoint.key(), volume);
        if (storage.isFailed()) {
          unusable.add(volume);
        }
      }
    }
    ArrayClusterView view = builder.build();
    for (int node = 0; node < nodeRefusals.size(); node++) {
      view.refuseNode(node, nodeRefusals.get(node));
    }
    unusable.forEach(volume -> view.refuseVolume(volume, Refusal.DEAD));
    LoadView load =
        ReportedLoad.of(sorted.stream().map(DatanodeStorageReport::getDatanodeInfo).toList());
    return new ClusterSnapshot(view, load, endpoints, volumes, names);
  }

  private static Endpoint endpoint(
      DatanodeInfo node, StorageReport storage, TierConfiguration tiers) {
    String id = storage.getStorage().getStorageID();
    TierMatch.Volume key = TierMatch.Volume.of(storage.getStorage().getStorageType(), node, id);
    int tier = storage.isFailed() ? TierTable.NONE : tiers.matcher().tierOf(key);
    return new Endpoint(node, id, storage.getStorage().getStorageType(), tier);
  }

  private static Refusal refusalOf(DatanodeInfo node) {
    AdminStates state = node.getAdminState();
    if (state == AdminStates.NORMAL) {
      return Refusal.NONE;
    }
    boolean leaves = state == AdminStates.DECOMMISSIONED || node.isDecommissionInProgress();
    return leaves ? Refusal.DECOMMISSIONING : Refusal.MAINTENANCE;
  }

  ArrayClusterView view() {
    return view;
  }

  LoadView load() {
    return load;
  }

  long copyRoomBytes() {
    return names.copyRoomBytes();
  }

  /** The id of HDFS's storage policy for files without one. */
  byte storagePolicy() {
    return names.storagePolicy();
  }

  Endpoint endpoint(int volume) {
    return endpoints.get(volume);
  }

  /** The volume's number here, or {@code ClusterView.NONE}. */
  int volumeOf(Endpoint endpoint) {
    return volumes.getOrDefault(endpoint.key(), ClusterView.NONE);
  }

  /** The volumes of the block's replicas, in the order of its locations. */
  int[] volumesOf(LocatedBlock block) {
    DatanodeInfo[] nodes = block.getLocations();
    int[] ids = new int[nodes.length];
    for (int i = 0; i < ids.length; i++) {
      String key = Endpoint.key(nodes[i].getDatanodeUuid(), block.getStorageIDs()[i]);
      ids[i] = volumes.getOrDefault(key, ClusterView.NONE);
    }
    return ids;
  }

  /** The volumes of the block's replicas that are here. */
  List<Endpoint> endpointsOf(LocatedBlock block) {
    return Arrays.stream(volumesOf(block))
        .filter(volume -> volume != ClusterView.NONE)
        .mapToObj(endpoints::get)
        .toList();
  }

  /** Makes the node of that id refuse blocks, when it is here. */
  void refuse(String nodeId, Refusal refusal) {
    int volume = anyVolumeOf(nodeId);
    if (volume != ClusterView.NONE) {
      view.refuseNode(view.nodeOfVolume(volume), refusal);
    }
  }

  /** Makes a volume refuse blocks, when it is here. */
  void refuseVolume(Endpoint endpoint, Refusal refusal) {
    int volume = volumeOf(endpoint);
    if (volume != ClusterView.NONE) {
      view.refuseVolume(volume, refusal);
    }
  }

  /** The last heartbeat of a node by the NameNode's clock; empty when it is not here. */
  OptionalLong heardMillis(String nodeId) {
    int volume = anyVolumeOf(nodeId);
    return volume == ClusterView.NONE
        ? OptionalLong.empty()
        : OptionalLong.of(endpoints.get(volume).node().getLastUpdateMonotonic());
  }

  private int anyVolumeOf(String nodeId) {
    for (int volume = 0; volume < endpoints.size(); volume++) {
      if (endpoints.get(volume).nodeId().equals(nodeId)) {
        return volume;
      }
    }
    return ClusterView.NONE;
  }
}
