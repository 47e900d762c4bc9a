package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * The replicas of one block in a view that knows all of them: a node that registered a moment ago
 * is missing in the index, and stands here behind the index's own numbers. It has no cells: nothing
 * is placed on it, but a copy stays away from its node, and what it holds is not made again.
 *
 * <p>Mostly made under the namesystem's write lock. An index of its own would cost a walk over the
 * cluster's nodes or regions a block; this costs a few look-ups a replica, and a pass over the tier
 * table for each stranger.
 */
final class ReplicaView extends NameNodeView {
  private final ClusterIndex index;
  private final List<DatanodeStorageInfo> strangers = new ArrayList<>();
  private final int[] volumes;

  // Of the strangers, by their place in that list; racks and regions by their numbers.
  private final int[] tiers;
  private final int[] nodes;
  private final List<DatanodeDescriptor> strangerNodes = new ArrayList<>();
  private final List<Integer> rackOfStrangerNode = new ArrayList<>();
  private final Map<String, Integer> rackIds = new HashMap<>();
  private final Map<Integer, Integer> regionOfRack = new HashMap<>();
  private final List<String> regions = new ArrayList<>();

  ReplicaView(
      ClusterIndex index,
      WriteAdmission admission,
      int writerNode,
      TierConfiguration configuration,
      RegionNames regionNames,
      Collection<DatanodeStorageInfo> replicas) {
    super(index, admission, writerNode);
    this.index = index;
    volumes = new int[replicas.size()];
    int next = 0;
    for (DatanodeStorageInfo replica : replicas) {
      int volume = index.idOf(replica);
      if (volume == NONE) {
        volume = index.volumes.length + strangers.size();
        strangers.add(replica);
      }
      volumes[next++] = volume;
    }
    tiers = new int[strangers.size()];
    nodes = new int[strangers.size()];
    for (int i = 0; i < tiers.length; i++) {
      tiers[i] = ClusterIndex.tierOf(configuration, strangers.get(i));
      nodes[i] = nodeOf(strangers.get(i).getDatanodeDescriptor(), regionNames);
    }
  }

  /** The volumes of the replicas, in their order. */
  int[] volumes() {
    return volumes;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // An equal storage of a re-registered node is another one.
  int idOf(DatanodeStorageInfo storage) {
    for (int i = 0; i < strangers.size(); i++) {
      if (strangers.get(i) == storage) {
        return index.volumes.length + i;
      }
    }
    return super.idOf(storage);
  }

  private int nodeOf(DatanodeDescriptor node, RegionNames regionNames) {
    int known = index.idOf(node);
    if (known != NONE) {
      return known;
    }
    int stranger = strangerNodes.indexOf(node);
    if (stranger < 0) {
      stranger = strangerNodes.size();
      strangerNodes.add(node);
      rackOfStrangerNode.add(rackOf(node.getNetworkLocation(), regionNames));
    }
    return index.nodes.length + stranger;
  }

  private int rackOf(String location, RegionNames regionNames) {
    String name = regionNames.rackOf(location);
    int known = index.rackOf(name);
    if (known != NONE) {
      return known;
    }
    int id = rackIds.computeIfAbsent(name, rack -> index.rackNames.length + rackIds.size());
    regionOfRack.put(id, regionOf(regionNames.regionOf(location)));
    return id;
  }

  private int regionOf(String name) {
    int known = List.of(index.regionNames).indexOf(name);
    if (known >= 0) {
      return known;
    }
    if (!regions.contains(name)) {
      regions.add(name);
    }
    return index.regionNames.length + regions.indexOf(name);
  }

  @Override
  public int regionCount() {
    return index.regionNames.length + regions.size();
  }

  /** No rack of the index is in a stranger's region. */
  @Override
  public int rackStart(int region) {
    return super.rackStart(Math.min(region, index.regionNames.length));
  }

  @Override
  public String regionName(int region) {
    int stranger = region - index.regionNames.length;
    return stranger < 0 ? super.regionName(region) : regions.get(stranger);
  }

  @Override
  public int regionOfRack(int rack) {
    return rack < index.rackNames.length ? super.regionOfRack(rack) : regionOfRack.get(rack);
  }

  @Override
  public int rackOfNode(int node) {
    int stranger = node - index.nodes.length;
    return stranger < 0 ? super.rackOfNode(node) : rackOfStrangerNode.get(stranger);
  }

  @Override
  DatanodeDescriptor descriptorOf(int node) {
    int stranger = node - index.nodes.length;
    return stranger < 0 ? super.descriptorOf(node) : strangerNodes.get(stranger);
  }

  @Override
  public String volumeName(int volume) {
    int stranger = volume - index.volumes.length;
    return stranger < 0 ? super.volumeName(volume) : strangers.get(stranger).getStorageID();
  }

  @Override
  public int nodeOfVolume(int volume) {
    int stranger = volume - index.volumes.length;
    return stranger < 0 ? super.nodeOfVolume(volume) : nodes[stranger];
  }

  @Override
  public int tierOfVolume(int volume) {
    int stranger = volume - index.volumes.length;
    return stranger < 0 ? super.tierOfVolume(volume) : tiers[stranger];
  }
}
