package io.tierwise.hadoop.inspect.compliance;

import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The storages that located blocks have shown so far, as a policy sees a cluster. Holds one entry a
 * storage, however many files are looked at.
 */
final class SeenCluster {
  private final TierConfiguration tiers;
  private final RegionNames regions;
  private final ArrayClusterViewBuilder builder;
  private final Map<String, Integer> nodes = new HashMap<>();
  private final Map<String, Integer> volumes = new HashMap<>();
  private ClusterView view;

  /**
   * @param regionOrder the regions that are known from elsewhere: policies go by their numbers
   */
  SeenCluster(TierConfiguration tiers, RegionNames regions, List<String> regionOrder) {
    this.tiers = tiers;
    this.regions = regions;
    this.builder = new ArrayClusterViewBuilder(tiers.table());
    for (String region : regionOrder) {
      builder.addNode("any node of " + region, "any rack of " + region, region);
    }
  }

  /** The volumes of the block's replicas in {@link #view()}, in the order of its locations. */
  int[] volumesOf(LocatedBlock block) {
    DatanodeInfo[] locations = block.getLocations();
    int[] ids = new int[locations.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = volumeOf(locations[i], block.getStorageIDs()[i], block.getStorageTypes()[i]);
    }
    return ids;
  }

  private int volumeOf(DatanodeInfo node, String storageId, StorageType type) {
    String key = node.getDatanodeUuid() + " " + storageId;
    Integer known = volumes.get(key);
    if (known != null) {
      return known;
    }
    Integer nodeId = nodes.get(node.getDatanodeUuid());
    if (nodeId == null) {
      String rack = regions.rackOf(node.getNetworkLocation());
      nodeId = builder.addNode(node.getXferAddr(), rack, regionOf(node));
      nodes.put(node.getDatanodeUuid(), nodeId);
    }
    int tier = tiers.matcher().tierOf(TierMatch.Volume.of(type, node, storageId));
    int volume = builder.addVolume(nodeId, tier, 0);
    volumes.put(key, volume);
    view = null;
    return volume;
  }

  /** All that was seen; made anew only after something new was. */
  ClusterView view() {
    if (view == null) {
      view = builder.build();
    }
    return view;
  }

  String regionOf(DatanodeInfo node) {
    return regions.regionOf(node.getNetworkLocation());
  }
}
