package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.BeforeEach;

/** A NameNode's host of policies over a few nodes, asked without a NameNode. */
abstract class MadeHost {
  static final long BLOCK = 128L << 20;
  static final int ROOM_BLOCKS = 10;

  final Configuration conf = new Configuration(false);
  final TierConfiguration tiers = TierConfiguration.byStorageType();
  final WriteAdmission admission = new WriteAdmission(conf, new SteadyClusterStats(3, 1));
  final NetworkTopology topology = new NetworkTopology();
  final AtomicLong nowNanos = new AtomicLong(1_000);
  final DatanodeStorageInfo first = addNode(1, StorageType.SSD);
  final DatanodeStorageInfo other = addNode(2, StorageType.DISK);
  final DatanodeStorageInfo back = addNode(3, StorageType.SSD);

  FileView view = FileView.UNKNOWN;
  List<DatanodeStorageInfo> sources = List.of();
  List<TierBytes.Use> limits = List.of();
  Set<Node> excluded = Set.of();
  ViewKeeper views;
  PlacementHost host;

  DatanodeStorageInfo addNode(int number, StorageType type) {
    DatanodeStorageInfo storage =
        DFSTestUtil.createDatanodeStorageInfo(
            "s" + number, "10.0.0." + number, "/r" + number, "h" + number, type, null);
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    node.setAlive(true);
    for (DatanodeStorageInfo each : node.getStorageInfos()) {
      each.setUtilizationForTesting(ROOM_BLOCKS * BLOCK, 0, ROOM_BLOCKS * BLOCK, 0);
    }
    topology.add(node);
    return node.getStorageInfos()[0];
  }

  /** With an index of the time when one of two fast nodes is out of service. */
  @BeforeEach
  void makeHost() {
    back.getDatanodeDescriptor().startDecommission();
    makeHostWith(nowNanos::get);
  }

  void makeHostWith(LongSupplier clock) {
    makeHostWith(topology, clock);
  }

  void makeHostWith(NetworkTopology tree, LongSupplier clock) {
    RegionNames regions = new RegionNames(conf);
    views =
        new ViewKeeper(
            tree, new CountedTiers(tiers), regions, admission, BLOCK, BLOCK, () -> {}, clock);
    host = new PlacementHost(tree, views, admission, null, new PlacementCounters(), null, false);
  }

  DatanodeStorageInfo[] placeThree() {
    return place("layout:2 x ssd + 1 x disk", 3);
  }

  DatanodeStorageInfo[] place(String policy, int replicas, DatanodeStorageInfo... existing) {
    return placeFor(null, true, policy, replicas, existing);
  }

  DatanodeStorageInfo[] placeFor(
      Node writer,
      boolean preferLocal,
      String policy,
      int replicas,
      DatanodeStorageInfo... existing) {
    PlacementPolicy read = new PolicyCatalog(new CountedTiers(tiers)).get(policy).policy();
    return placeBy(read, writer, preferLocal, replicas, existing);
  }

  DatanodeStorageInfo[] placeBy(
      PlacementPolicy policy,
      Node writer,
      boolean preferLocal,
      int replicas,
      DatanodeStorageInfo... existing) {
    ManagedFile file = new ManagedFile(policy, view, "/f", Set.of(), limits, sources, List.of());
    PlacementHost.Question question =
        new PlacementHost.Question(
            existing.length == 0 && sources.isEmpty()
                ? DecisionKind.NEW_BLOCK
                : DecisionKind.RECONSTRUCTION,
            replicas,
            writer,
            preferLocal,
            List.of(existing),
            excluded,
            BLOCK,
            null,
            Avoid.NOTHING,
            replicas);
    return host.decide(file, views.index(), question).storages();
  }

  /** With so many nodes that a decision neither looks itself nor waits for a look. */
  void makeLarge() {
    for (int i = 0; i < ViewKeeper.NODES_INLINE_MAX; i++) {
      addNode(100 + i, StorageType.ARCHIVE);
    }
    makeHostWith(() -> nowNanos.addAndGet(ViewKeeper.INLINE_NANOS_MAX));
    views.lookNow();
  }
}
