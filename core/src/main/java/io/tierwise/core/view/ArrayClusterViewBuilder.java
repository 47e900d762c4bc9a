package io.tierwise.core.view;

import io.tierwise.core.cluster.TierTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Describes a cluster for an {@link ArrayClusterView}: racks, nodes in racks, volumes in nodes.
 *
 * <p>Node and volume ids are given out in the order of the calls, and so are region ids. Racks are
 * renumbered by region when the view is made: within a region they keep the order in which they
 * were named first.
 */
public final class ArrayClusterViewBuilder {
  private final TierTable tiers;
  private final Map<String, List<String>> racksOfRegion = new LinkedHashMap<>();
  private final Map<String, String> regionOfRack = new LinkedHashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Volume> volumes = new ArrayList<>();

  private record Node(String name, String rack) {}

  private record Volume(String name, int node, int tier, long freeBytes) {}

  public ArrayClusterViewBuilder(TierTable tiers) {
    this.tiers = Objects.requireNonNull(tiers, "tiers");
  }

  /**
   * Adds a node; its rack and region come into being with the first node that names them.
   *
   * @return the node's id
   * @throws IllegalArgumentException when the rack stands in another region already
   */
  public int addNode(String name, String rack, String region) {
    String known = regionOfRack.putIfAbsent(rack, region);
    if (known == null) {
      racksOfRegion.computeIfAbsent(region, unused -> new ArrayList<>()).add(rack);
    } else if (!known.equals(region)) {
      throw new IllegalArgumentException(
          "rack " + rack + " is in region " + known + ", not in " + region);
    }
    nodes.add(new Node(name, rack));
    return nodes.size() - 1;
  }

  /**
   * Adds a volume to a node.
   *
   * @param tier index in the tier table, or {@link TierTable#NONE}
   * @return the volume's id
   */
  public int addVolume(int node, int tier, long freeBytes) {
    Objects.checkIndex(node, nodes.size());
    if (tier != TierTable.NONE) {
      Objects.checkIndex(tier, tiers.count());
    }
    String name = nodes.get(node).name() + "/volume" + volumes.size();
    volumes.add(new Volume(name, node, tier, freeBytes));
    return volumes.size() - 1;
  }

  public ArrayClusterView build() {
    Arrays arrays = new Arrays(tiers, nodes.size(), volumes.size());
    Map<String, Integer> rackIds = numberRacks(arrays);
    for (int node = 0; node < nodes.size(); node++) {
      arrays.nodeNames[node] = nodes.get(node).name();
      arrays.rackOfNode[node] = rackIds.get(nodes.get(node).rack());
    }
    for (int volume = 0; volume < volumes.size(); volume++) {
      arrays.volumeNames[volume] = volumes.get(volume).name();
      arrays.nodeOfVolume[volume] = volumes.get(volume).node();
      arrays.tierOfVolume[volume] = volumes.get(volume).tier();
      arrays.freeBytes[volume] = volumes.get(volume).freeBytes();
    }
    numberStores(arrays);
    return new ArrayClusterView(arrays);
  }

  private Map<String, Integer> numberRacks(Arrays arrays) {
    int rackCount = regionOfRack.size();
    arrays.rackStarts = new int[racksOfRegion.size() + 1];
    arrays.regionOfRack = new int[rackCount];
    arrays.rackNames = new String[rackCount];
    arrays.regionNames = racksOfRegion.keySet().toArray(String[]::new);
    Map<String, Integer> ids = new LinkedHashMap<>();
    int region = 0;
    for (List<String> racks : racksOfRegion.values()) {
      for (String rack : racks) {
        int id = ids.size();
        ids.put(rack, id);
        arrays.regionOfRack[id] = region;
        arrays.rackNames[id] = rack;
      }
      arrays.rackStarts[++region] = ids.size();
    }
    return ids;
  }

  /** Where a store stands in the order of store ids. */
  private record StoreKey(int tier, int rack, int node) implements Comparable<StoreKey> {
    @Override
    public int compareTo(StoreKey other) {
      int byTier = Integer.compare(tier, other.tier);
      int byRack = byTier != 0 ? byTier : Integer.compare(rack, other.rack);
      return byRack != 0 ? byRack : Integer.compare(node, other.node);
    }
  }

  private void numberStores(Arrays arrays) {
    TreeMap<StoreKey, List<Integer>> stores = new TreeMap<>();
    for (int volume = 0; volume < volumes.size(); volume++) {
      int node = arrays.nodeOfVolume[volume];
      int tier = arrays.tierOfVolume[volume];
      if (tier != TierTable.NONE) {
        StoreKey key = new StoreKey(tier, arrays.rackOfNode[node], node);
        stores.computeIfAbsent(key, unused -> new ArrayList<>()).add(volume);
      }
    }
    int cellCount = tiers.count() * arrays.regionOfRack.length;
    arrays.cellStarts = new int[cellCount + 1];
    arrays.nodeOfStore = new int[stores.size()];
    arrays.tierOfStore = new int[stores.size()];
    arrays.volumeStarts = new int[stores.size() + 1];
    arrays.volumesOfStores = new int[volumes.size()];
    java.util.Arrays.fill(arrays.storeOfNode, ClusterView.NONE);
    int store = 0;
    int position = 0;
    for (Map.Entry<StoreKey, List<Integer>> entry : stores.entrySet()) {
      StoreKey key = entry.getKey();
      arrays.nodeOfStore[store] = key.node();
      arrays.tierOfStore[store] = key.tier();
      arrays.storeOfNode[key.node() * tiers.count() + key.tier()] = store;
      arrays.cellStarts[key.tier() * arrays.regionOfRack.length + key.rack() + 1]++;
      for (int volume : entry.getValue()) {
        arrays.volumesOfStores[position++] = volume;
      }
      arrays.volumeStarts[++store] = position;
    }
    for (int cell = 0; cell < cellCount; cell++) {
      arrays.cellStarts[cell + 1] += arrays.cellStarts[cell];
    }
  }

  /** The arrays that the builder hands to the view. */
  static final class Arrays {
    final TierTable tiers;
    final int[] rackOfNode;
    final int[] storeOfNode;
    final int[] nodeOfVolume;
    final int[] tierOfVolume;
    final long[] freeBytes;
    final String[] nodeNames;
    final String[] volumeNames;
    int[] rackStarts;
    int[] regionOfRack;
    int[] cellStarts;
    int[] nodeOfStore;
    int[] tierOfStore;
    int[] volumeStarts;
    int[] volumesOfStores;
    String[] regionNames;
    String[] rackNames;

    Arrays(TierTable tiers, int nodeCount, int volumeCount) {
      this.tiers = tiers;
      this.rackOfNode = new int[nodeCount];
      this.storeOfNode = new int[nodeCount * tiers.count()];
      this.nodeOfVolume = new int[volumeCount];
      this.tierOfVolume = new int[volumeCount];
      this.freeBytes = new long[volumeCount];
      this.nodeNames = new String[nodeCount];
      this.volumeNames = new String[volumeCount];
    }
  }
}
