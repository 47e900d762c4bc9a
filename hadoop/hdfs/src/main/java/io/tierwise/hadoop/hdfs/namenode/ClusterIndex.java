package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * The cluster's nodes, racks, regions and volumes by small integers, laid out as {@link
 * ClusterView} asks for. Immutable: the numbers hold for this index alone, while the descriptors it
 * points to live on.
 */
final class ClusterIndex {
  final TierTable tiers;

  final String[] regionNames;
  final int[] rackStarts;
  final String[] rackNames;
  final int[] rackRegions;
  final DatanodeDescriptor[] nodes;
  final int[] nodeRacks;

  /** Entry {@code tier * (racks + 1) + rack}. */
  final int[] cellStarts;

  /** Entry {@code node * tiers + tier}. */
  final int[] nodeStores;

  final int[] storeNodes;
  final int[] storeTiers;

  /** One more entry than stores: a store's volumes have consecutive ids. */
  final int[] storeVolumeStarts;

  final DatanodeStorageInfo[] volumes;
  final int[] volumeNodes;
  final int[] volumeTiers;

  /** Bit t is set where a node has a volume of tier t, whether it stands in a cell or not. */
  final long[] nodeTiers;

  /** Why volumes stand in no cell. */
  final Absences absences;

  /** The only part that changes: what was placed since the volumes' latest heartbeats. */
  final PlacedBytes placed;

  /** Room that a volume had at least to stand in a cell. */
  final long cellBytes;

  /** A fingerprint of the cluster; differs when a new index would differ. */
  final long fingerprint;

  /** Whether some node had not reported its storages yet. */
  final boolean incomplete;

  private final IdentityHashMap<Node, Integer> nodeIds;
  private final Map<String, Integer> rackIds;

  private ClusterIndex(Builder builder) {
    tiers = builder.tiers;
    regionNames = builder.regionNames.toArray(new String[0]);
    rackStarts = toInts(builder.rackStarts, builder.rackNames.size());
    rackNames = builder.rackNames.toArray(new String[0]);
    rackRegions = toInts(builder.rackRegions);
    nodes = builder.entries.stream().map(Entry::node).toArray(DatanodeDescriptor[]::new);
    nodeRacks = toInts(builder.nodeRacks);
    cellStarts = builder.cellStarts;
    nodeStores = builder.nodeStores;
    storeNodes = toInts(builder.storeNodes);
    storeTiers = toInts(builder.storeTiers);
    storeVolumeStarts = toInts(builder.storeVolumeStarts, builder.cellVolumeCount);
    volumes = builder.volumes.toArray(new DatanodeStorageInfo[0]);
    volumeNodes = toInts(builder.volumeNodes);
    volumeTiers = toInts(builder.volumeTiers);
    nodeTiers = tiersOfNodes(nodes.length, volumeNodes, volumeTiers);
    absences = builder.absences;
    placed = new PlacedBytes(nodes, volumes, volumeNodes);
    cellBytes = builder.cellBytes;
    fingerprint = builder.fingerprint;
    incomplete = builder.incomplete;
    nodeIds = new IdentityHashMap<>(nodes.length);
    for (int node = 0; node < nodes.length; node++) {
      nodeIds.put(nodes[node], node);
    }
    rackIds = new HashMap<>();
    for (int rack = 0; rack < rackNames.length; rack++) {
      rackIds.put(rackNames[rack], rack);
    }
  }

  /**
   * Indexes {@code leaves}.
   *
   * @param cellBytes a volume stands in a cell when it has room for so many bytes
   */
  static ClusterIndex of(
      List<Node> leaves,
      TierConfiguration configuration,
      RegionNames regions,
      WriteAdmission admission,
      long cellBytes) {
    Builder builder = new Builder(configuration, admission, cellBytes);
    builder.addNodes(leaves, regions);
    builder.addVolumes();
    return new ClusterIndex(builder);
  }

  private static long[] tiersOfNodes(int nodeCount, int[] volumeNodes, int[] volumeTiers) {
    long[] masks = new long[nodeCount];
    for (int volume = 0; volume < volumeNodes.length; volume++) {
      if (volumeTiers[volume] != TierTable.NONE) {
        masks[volumeNodes[volume]] |= 1L << volumeTiers[volume];
      }
    }
    return masks;
  }

  /** Goes on counting what was placed where {@code earlier} stopped. */
  void takeOver(ClusterIndex earlier) {
    for (int volume = 0; volume < volumes.length; volume++) {
      int before = earlier.idOf(volumes[volume]);
      if (before != ClusterView.NONE) {
        placed.copy(earlier.placed, before, volume);
      }
    }
  }

  /** The {@link #fingerprint} that an index of {@code leaves} would have, without making it. */
  static long fingerprintOf(List<Node> leaves, WriteAdmission admission, long cellBytes) {
    long required = admission.remainingBytesMin(cellBytes);
    long sum = 0;
    for (Node leaf : leaves) {
      if (leaf instanceof DatanodeDescriptor node) {
        sum += fingerprintOf(node, node.getStorageInfos(), usable(node, admission), required);
      }
    }
    return sum;
  }

  private static long fingerprintOf(
      DatanodeDescriptor node, DatanodeStorageInfo[] storages, boolean usable, long required) {
    long hash = mix(System.identityHashCode(node), node.getNetworkLocation().hashCode());
    // A node that registers anew keeps its object; its names and its storages' types may change.
    hash = mix(hash, Objects.hashCode(node.getHostName()));
    hash = mix(hash, Objects.hashCode(node.getIpAddr()));
    hash = mix(hash, usable ? 1 : 2);
    long sum = 0;
    for (DatanodeStorageInfo storage : storages) {
      boolean takes = WriteAdmission.takes(storage, required);
      long ofStorage = mix(System.identityHashCode(storage), takes ? 1 : 2);
      sum += mix(ofStorage, storage.getStorageType().name().hashCode());
    }
    return mix(hash, sum);
  }

  /** Overload comes and goes with every heartbeat and is left to the check at decision time. */
  private static boolean usable(DatanodeDescriptor node, WriteAdmission admission) {
    return admission.checkButLoad(node) == Refusal.NONE;
  }

  private static long mix(long hash, long value) {
    long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  /** The node's id, or {@link ClusterView#NONE} when the index does not know it. */
  int idOf(Node node) {
    Integer id = node == null ? null : nodeIds.get(node);
    return id == null ? ClusterView.NONE : id;
  }

  /** The storage's volume id, or {@link ClusterView#NONE} when the index does not know it. */
  @SuppressWarnings("ReferenceEquality") // An equal storage of a re-registered node is another one.
  int idOf(DatanodeStorageInfo storage) {
    int node = idOf(storage.getDatanodeDescriptor());
    if (node == ClusterView.NONE) {
      return ClusterView.NONE;
    }
    int from = node * tiers.count();
    for (int tier = 0; tier < tiers.count(); tier++) {
      int store = nodeStores[from + tier];
      if (store != ClusterView.NONE) {
        for (int v = storeVolumeStarts[store]; v < storeVolumeStarts[store + 1]; v++) {
          if (volumes[v] == storage) {
            return v;
          }
        }
      }
    }
    return idOutsideCells(storage, node);
  }

  @SuppressWarnings("ReferenceEquality")
  private int idOutsideCells(DatanodeStorageInfo storage, int node) {
    int from = storeVolumeStarts[storeVolumeStarts.length - 1];
    int at = Arrays.binarySearch(volumeNodes, from, volumeNodes.length, node);
    if (at < 0) {
      return ClusterView.NONE;
    }
    while (at > from && volumeNodes[at - 1] == node) {
      at--;
    }
    for (; at < volumeNodes.length && volumeNodes[at] == node; at++) {
      if (volumes[at] == storage) {
        return at;
      }
    }
    return ClusterView.NONE;
  }

  /** The tier that the configuration gives the storage, or {@link TierTable#NONE}. */
  static int tierOf(TierConfiguration configuration, DatanodeStorageInfo storage) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return configuration
        .matcher()
        .tierOf(TierMatch.Volume.of(storage.getStorageType(), node, storage.getStorageID()));
  }

  /** The rack's id, or {@link ClusterView#NONE}; for a writer outside the cluster. */
  int rackOf(String name) {
    return rackIds.getOrDefault(name, ClusterView.NONE);
  }

  private static int[] toInts(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int[] toInts(List<Integer> list, int end) {
    int[] ints = Arrays.copyOf(toInts(list), list.size() + 1);
    ints[list.size()] = end;
    return ints;
  }

  private record Entry(DatanodeDescriptor node, String region, String rack, String address) {}

  private static final class Builder {
    private static final Comparator<Entry> BY_PLACE =
        Comparator.comparing(Entry::region)
            .thenComparing(Entry::rack)
            .thenComparing(Entry::address)
            .thenComparing(entry -> entry.node().getDatanodeUuid());

    private final TierConfiguration configuration;
    private final TierTable tiers;
    private final WriteAdmission admission;
    private final long cellBytes;

    private final List<Entry> entries = new ArrayList<>();
    private final List<String> regionNames = new ArrayList<>();
    private final List<Integer> rackStarts = new ArrayList<>();
    private final List<String> rackNames = new ArrayList<>();
    private final List<Integer> rackRegions = new ArrayList<>();
    private final List<Integer> nodeRacks = new ArrayList<>();

    private int[] cellStarts;
    private int[] nodeStores;
    private final List<Integer> storeNodes = new ArrayList<>();
    private final List<Integer> storeTiers = new ArrayList<>();
    private final List<Integer> storeVolumeStarts = new ArrayList<>();
    private int cellVolumeCount;
    private final List<DatanodeStorageInfo> volumes = new ArrayList<>();
    private final List<Integer> volumeNodes = new ArrayList<>();
    private final List<Integer> volumeTiers = new ArrayList<>();
    private final Absences absences;
    private long fingerprint;
    private boolean incomplete;

    Builder(TierConfiguration configuration, WriteAdmission admission, long cellBytes) {
      this.configuration = configuration;
      this.tiers = configuration.table();
      this.admission = admission;
      this.cellBytes = cellBytes;
      absences = new Absences(tiers.count());
    }

    void addNodes(List<Node> leaves, RegionNames regions) {
      for (Node leaf : leaves) {
        if (leaf instanceof DatanodeDescriptor node) {
          String location = node.getNetworkLocation();
          entries.add(
              new Entry(
                  node, regions.regionOf(location), regions.rackOf(location), node.getXferAddr()));
        }
      }
      entries.sort(BY_PLACE);
      for (Entry entry : entries) {
        int lastRegion = regionNames.size() - 1;
        boolean newRegion = lastRegion < 0 || !regionNames.get(lastRegion).equals(entry.region());
        int lastRack = rackNames.size() - 1;
        if (newRegion || !rackNames.get(lastRack).equals(entry.rack())) {
          if (newRegion) {
            regionNames.add(entry.region());
            rackStarts.add(rackNames.size());
          }
          rackNames.add(entry.rack());
          rackRegions.add(regionNames.size() - 1);
        }
        nodeRacks.add(rackNames.size() - 1);
      }
    }

    /** Volumes in cells come first, by tier and rack; then the others, by node. */
    void addVolumes() {
      int tierCount = tiers.count();
      int nodeCount = entries.size();
      List<List<DatanodeStorageInfo>> byTierAndNode = new ArrayList<>(tierCount * nodeCount);
      for (int i = 0; i < tierCount * nodeCount; i++) {
        byTierAndNode.add(List.of());
      }
      List<DatanodeStorageInfo> outside = new ArrayList<>();
      List<Integer> outsideNodes = new ArrayList<>();
      List<Integer> outsideTiers = new ArrayList<>();
      long required = admission.remainingBytesMin(cellBytes);
      for (int node = 0; node < nodeCount; node++) {
        DatanodeDescriptor descriptor = entries.get(node).node();
        DatanodeStorageInfo[] storages = descriptor.getStorageInfos();
        Refusal refusal = admission.checkButLoad(descriptor);
        boolean usable = refusal == Refusal.NONE;
        fingerprint += fingerprintOf(descriptor, storages, usable, required);
        incomplete |= !WriteAdmission.hasReported(descriptor, storages);
        for (DatanodeStorageInfo storage : storages) {
          int tier = tierOf(configuration, storage);
          if (usable && tier != TierTable.NONE && WriteAdmission.takes(storage, required)) {
            int at = tier * nodeCount + node;
            if (byTierAndNode.get(at).isEmpty()) {
              byTierAndNode.set(at, new ArrayList<>(2));
            }
            byTierAndNode.get(at).add(storage);
          } else {
            absences.note(tier, usable ? Refusal.FULL : refusal);
            outside.add(storage);
            outsideNodes.add(node);
            outsideTiers.add(tier);
          }
        }
      }
      addCells(byTierAndNode);
      volumes.addAll(outside);
      volumeNodes.addAll(outsideNodes);
      volumeTiers.addAll(outsideTiers);
    }

    private void addCells(List<List<DatanodeStorageInfo>> byTierAndNode) {
      int tierCount = tiers.count();
      int nodeCount = entries.size();
      int rackCount = rackNames.size();
      cellStarts = new int[tierCount * (rackCount + 1)];
      nodeStores = new int[nodeCount * tierCount];
      Arrays.fill(nodeStores, ClusterView.NONE);
      for (int tier = 0; tier < tierCount; tier++) {
        int rack = 0;
        int cell = tier * (rackCount + 1);
        cellStarts[cell] = storeNodes.size();
        for (int node = 0; node < nodeCount; node++) {
          while (rack < nodeRacks.get(node)) {
            cellStarts[cell + ++rack] = storeNodes.size();
          }
          List<DatanodeStorageInfo> ofStore = byTierAndNode.get(tier * nodeCount + node);
          if (!ofStore.isEmpty()) {
            addStore(tier, node, ofStore);
          }
        }
        while (rack < rackCount) {
          cellStarts[cell + ++rack] = storeNodes.size();
        }
      }
      cellVolumeCount = volumes.size();
    }

    private void addStore(int tier, int node, List<DatanodeStorageInfo> ofStore) {
      nodeStores[node * tiers.count() + tier] = storeNodes.size();
      storeNodes.add(node);
      storeTiers.add(tier);
      storeVolumeStarts.add(volumes.size());
      for (DatanodeStorageInfo storage : ofStore) {
        volumes.add(storage);
        volumeNodes.add(node);
        volumeTiers.add(tier);
      }
    }
  }
}
