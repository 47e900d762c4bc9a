package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.tiers.ByteLimit;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.FailingPlacement;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlantedPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block for which the policy is asked twice, the second time with a new index, counts once. */
class PlacementHostTest {
  private static final long BLOCK = 128L << 20;
  private static final int ROOM_BLOCKS = 10;

  private final Configuration conf = new Configuration(false);
  private final TierConfiguration tiers = TierConfiguration.byStorageType();
  private final WriteAdmission admission = new WriteAdmission(conf, new SteadyClusterStats(3, 1));
  private final NetworkTopology topology = new NetworkTopology();
  private final AtomicLong nowNanos = new AtomicLong(1_000);
  private final DatanodeStorageInfo first = addNode(1, StorageType.SSD);
  private final DatanodeStorageInfo other = addNode(2, StorageType.DISK);
  private final DatanodeStorageInfo back = addNode(3, StorageType.SSD);

  private FileView view = FileView.UNKNOWN;
  private List<DatanodeStorageInfo> sources = List.of();
  private List<TierBytes.Use> limits = List.of();
  private Set<Node> excluded = Set.of();
  private ViewKeeper views;
  private PlacementHost host;

  private DatanodeStorageInfo addNode(int number, StorageType type) {
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

  private void makeHostWith(LongSupplier clock) {
    makeHostWith(topology, clock);
  }

  private void makeHostWith(NetworkTopology tree, LongSupplier clock) {
    RegionNames regions = new RegionNames(conf);
    views =
        new ViewKeeper(
            tree, new CountedTiers(tiers), regions, admission, BLOCK, BLOCK, () -> {}, clock);
    host = new PlacementHost(tree, views, admission, null, new PlacementCounters(), null, false);
  }

  private DatanodeStorageInfo[] placeThree() {
    return place("layout:2 x ssd + 1 x disk", 3);
  }

  private DatanodeStorageInfo[] place(
      String policy, int replicas, DatanodeStorageInfo... existing) {
    return placeFor(null, true, policy, replicas, existing);
  }

  private DatanodeStorageInfo[] placeFor(
      Node writer,
      boolean preferLocal,
      String policy,
      int replicas,
      DatanodeStorageInfo... existing) {
    PlacementPolicy read = new PolicyCatalog(new CountedTiers(tiers)).get(policy).policy();
    return placeBy(read, writer, preferLocal, replicas, existing);
  }

  private DatanodeStorageInfo[] placeBy(
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

  @Test
  void theAnswerOfAnOldIndexIsNeitherCountedNorToldNorCharged() {
    List<Integer> told = new ArrayList<>();
    host.listen((file, request, view, decision) -> told.add(decision.choices().size()));
    ClusterIndex old = views.index();
    back.getDatanodeDescriptor().stopDecommission();

    assertThat(placeThree()).containsExactlyInAnyOrder(first, other, back);
    assertThat(views.index()).as("the index was old").isNotSameAs(old);
    assertThat(told).containsExactly(3);
    assertThat(host.counters().decisions().values()).containsExactly(1L);
    assertThat(sum(host.counters().replicas())).isEqualTo(3);
    assertThat(host.counters().fallbacks()).isEmpty();
    assertThat(roomOn(first)).isEqualTo((ROOM_BLOCKS - 1) * BLOCK);
  }

  /** An old index has as many nodes as there are: only a look tells that one takes blocks again. */
  @Test
  void aTierThatSeemsToBeFullIsLookedAtBeforeAnotherOneIsTaken() {
    back.getDatanodeDescriptor().stopDecommission();
    assertThat(place("layout:2 x ssd", 2)).containsExactlyInAnyOrder(first, back);
    assertThat(host.counters().fallbacks()).isEmpty();
    assertThat(host.counters().decisions().values()).containsExactly(1L);
  }

  /** Else a copy is sent to the tier or region where the block has that replica already. */
  @Test
  void aReplicaThatWasReportedAfterTheIndexWasMadeCountsWhenACopyIsPlaced() {
    DatanodeStorageInfo reported = addNode(4, StorageType.SSD);
    assertThat(place("layout:1 x ssd + 1 x disk", 1, reported)).containsExactly(other);
  }

  /** With so many nodes that a decision neither looks itself nor waits for a look. */
  private void makeLarge() {
    for (int i = 0; i < ViewKeeper.NODES_INLINE_MAX; i++) {
      addNode(100 + i, StorageType.ARCHIVE);
    }
    makeHostWith(() -> nowNanos.addAndGet(ViewKeeper.INLINE_NANOS_MAX));
    views.lookNow();
  }

  /** A large cluster's index may be a second old. */
  @Test
  void suchAReplicaCountsInALargeClusterBeforeTheNextLook() {
    makeLarge();
    DatanodeStorageInfo reported = addNode(4, StorageType.SSD);
    assertThat(place("layout:1 x ssd + 1 x disk", 1, reported)).containsExactly(other);
    assertThat(views.index().idOf(reported)).as("nobody looked").isNegative();
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "40, 5"})
  void itsRegionCountsAsWell(int stranger, int expected) {
    conf.set(RegionNames.REGIONS_KEY, "/r1=east,/r40=east,/r4=west,/r5=west,/r2=out,/r3=out");
    DatanodeStorageInfo west = addNode(5, StorageType.SSD);
    makeLarge();
    DatanodeStorageInfo reported = addNode(stranger, StorageType.SSD);
    String policy = "layout:1 x ssd in region east + 1 x ssd in region west";
    assertThat(place(policy, 1, reported)).containsExactly(expected == 5 ? west : first);
    assertThat(views.index().idOf(reported)).as("nobody looked").isNegative();
  }

  /** One replica a node, although the index knows the node without that storage. */
  @Test
  void aReplicaOnANewStorageOfAKnownNodeKeepsACopyFromThatNode() {
    makeLarge();
    DatanodeStorageInfo added =
        BlockManagerTestUtil.updateStorage(
            first.getDatanodeDescriptor(),
            new DatanodeStorage("added", DatanodeStorage.State.NORMAL, StorageType.DISK));
    assertThat(place("layout:1 x disk + 2 x ssd", 2, added)).hasSize(2).doesNotContain(first);
  }

  /** Charged is the tier that a replica stands on, and a tier at its limit takes no more. */
  @Test
  void aLimitInBytesIsChargedByTierAndHoldsToTheByte() {
    back.getDatanodeDescriptor().stopDecommission();
    views.lookNow();
    int ssd = tiers.table().find("ssd").orElseThrow().index();
    TierBytes.Use use = new TierBytes.Use(new ByteLimit("/", ssd, 2 * BLOCK));
    limits = List.of(use);
    place("layout:1 x disk + 1 x ssd", 2);
    assertThat(use.bytes()).isEqualTo(BLOCK);
    place("layout:1 x ssd", 1);
    assertThat(use.bytes()).isEqualTo(2 * BLOCK);
    assertThat(place("layout:1 x ssd", 1)).containsExactly(other);
    assertThat(use.bytes()).isEqualTo(2 * BLOCK);
  }

  @Test
  void theWritersNodeIsOneOfManyWhereNoLocalNodeIsPreferred() {
    makeLarge();
    Node writer = topology.chooseRandom("/r110");
    List<Node> firsts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      firsts.add(placeFor(writer, false, "random", 1)[0].getDatanodeDescriptor());
    }
    assertThat(firsts).anyMatch(node -> !node.equals(writer));
  }

  /** Its region is one that no node of the index is in. */
  @Test
  void aReplicaInARegionOfItsOwnStaysTheOnlyOneThere() {
    conf.set(RegionNames.REGIONS_KEY, "/r4=new");
    makeLarge();
    DatanodeStorageInfo reported = addNode(4, StorageType.SSD);
    assertThat(place("region-aware", 1, reported)).hasSize(1).doesNotContain(reported);
    assertThat(host.counters().fallbacks()).isEmpty();
    assertThat(views.index().idOf(reported)).as("nobody looked").isNegative();
  }

  /** With {@code dfs.namenode.block-placement-policy.default.prefer-local-node} at false. */
  @Test
  void aBusyWritersNodeIsAvoidedWhereNoLocalNodeIsPreferred() {
    DatanodeStorageInfo fourth = addNode(4, StorageType.SSD);
    DatanodeStorageInfo fifth = addNode(5, StorageType.SSD);
    views.lookNow();
    DatanodeDescriptor busy = first.getDatanodeDescriptor();
    busy.setXceiverCount(100);
    admission.refreshLoad(views.index());
    assertThat(placeFor(busy, false, "layout:3 x ssd", 3))
        .containsExactlyInAnyOrder(fourth, fifth, other);
  }

  /** Hadoop takes the writer's node however busy it is for a block's first replica alone. */
  @Test
  void aBusyWritersNodeIsAvoidedWhenAReplicaOfItsPipelineIsReplaced() {
    DatanodeStorageInfo fourth = addNode(4, StorageType.SSD);
    DatanodeStorageInfo fifth = addNode(5, StorageType.SSD);
    views.lookNow();
    DatanodeDescriptor busy = first.getDatanodeDescriptor();
    busy.setXceiverCount(100);
    admission.refreshLoad(views.index());
    assertThat(placeFor(busy, true, "layout:1 x disk + 2 x ssd", 2, other))
        .containsExactlyInAnyOrder(fourth, fifth);
    assertThat(placeFor(busy, true, "hybrid", 1)).containsExactly(first);
  }

  /** A client on a machine without a DataNode is known by its rack, less the node group. */
  @Test
  void aWritersRackIsKnownWhereNodeGroupsStandBelowRacks() {
    List<DatanodeStorageInfo> storages = makeHostWithGroups(i -> "/rack" + i + "/group");
    for (int i = 0; i < storages.size(); i++) {
      Node client = new NodeBase("client", "/rack" + i + "/other-group");
      assertThat(placeFor(client, true, "hybrid", 1)).containsExactly(storages.get(i));
    }
  }

  /** As HDFS's own class for node groups has it. */
  @Test
  void aWriterBesideNoDataNodeBeginsInItsOwnNodeGroup() {
    List<DatanodeStorageInfo> storages =
        makeHostWithGroups(i -> "/rack" + i / 4 + "/group" + i % 4);
    for (DatanodeStorageInfo storage : storages) {
      Node client = new NodeBase("client", storage.getDatanodeDescriptor().getNetworkLocation());
      assertThat(placeFor(client, true, "hybrid", 1)).containsExactly(storage);
    }
    Node elsewhere = new NodeBase("client", "/rack7/group0");
    assertThat(placeFor(elsewhere, true, "hybrid", 1)).hasSize(1);
  }

  /** A host of eight nodes, in node groups at these locations. */
  private List<DatanodeStorageInfo> makeHostWithGroups(IntFunction<String> locations) {
    conf.setBoolean(DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY, false);
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_IMPL_KEY,
        NetworkTopologyWithNodeGroup.class,
        NetworkTopology.class);
    NetworkTopology groups = new NetworkTopologyWithNodeGroup();
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DatanodeDescriptor node = addNode(10 + i, StorageType.SSD).getDatanodeDescriptor();
      topology.remove(node);
      node.setNetworkLocation(locations.apply(i));
      groups.add(node);
      storages.add(node.getStorageInfos()[0]);
    }
    makeHostWith(groups, nowNanos::get);
    return storages;
  }

  /** A copy on its way to a node that is new to the index, or a replica in maintenance there. */
  @Test
  void aPledgeOnANodeThatTheIndexDoesNotKnowCounts() {
    back.getDatanodeDescriptor().stopDecommission();
    makeLarge();
    DatanodeStorageInfo pledged = addNode(4, StorageType.DISK);
    excluded = Set.of(pledged.getDatanodeDescriptor());
    view = new FileView(1, 0, 3);
    assertThat(place("layout:1 x ssd + 1 x disk + 1 x ssd", 1, first)).containsExactly(back);
    assertThat(views.index().idOf(pledged)).as("nobody looked").isNegative();
  }

  /** No replica is live: the copy is made of one that leaves, on a node new to the index. */
  @Test
  void aSourceThatTheIndexDoesNotKnowTellsTheZone() {
    makeLarge();
    DatanodeStorageInfo source = addNode(4, StorageType.SSD);
    sources = List.of(source);
    assertThat(place("zone-ratio:archive=0.5,ssd=0.5", 1)).containsExactly(first);
    assertThat(views.index().idOf(source)).as("nobody looked").isNegative();
  }

  @Test
  void tooFewOnAnIndexThatIsRightCountOnce() {
    assertThat(placeThree()).containsExactlyInAnyOrder(first, other);
    assertThat(host.counters().decisions().values()).containsExactly(1L);
    assertThat(sum(host.counters().replicas())).isEqualTo(2);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private long roomOn(DatanodeStorageInfo storage) {
    ClusterIndex index = views.index();
    return index.placed.freeBytes(index.idOf(storage), storage, BLOCK, 0);
  }

  /** HDFS would follow whatever it is told, and fail the write. */
  @Test
  void anAnswerThatBreaksAPromiseIsNotFollowed() {
    int one = views.index().idOf(first);
    int two = views.index().idOf(other);
    PlantedPlacement both = PlantedPlacement.of(0, one, two);

    assertThat(placeBy(both, null, true, 2)).containsExactly(first, other);
    assertRefused(PlantedPlacement.SILENT, 2, "gave no answer");
    assertRefused(PlantedPlacement.of(0, -1), 1, "a volume that is not there");
    assertRefused(PlantedPlacement.of(0, 99), 1, "a volume that is not there");
    assertRefused(PlantedPlacement.of(0, one, one), 2, "two replicas on one node");
    assertRefused(both, 1, "more volumes than were wanted");
    assertRefused(PlantedPlacement.of(1, one), 2, "more volumes than were wanted");
    assertRefused(PlantedPlacement.of(0, one), 1, "two replicas on one node", first);
    excluded = Set.of(other.getDatanodeDescriptor());
    assertRefused(both, 2, "a node that was to be left out");
    assertThat(host.counters().decisions().values()).as("one of nine").containsExactly(1L);
  }

  /** And one line of the log does not stand for another policy that fails in the same way. */
  @Test
  void whatAPolicyThrowsSaysWhichPolicyItIs() {
    PlacementPolicy failing = new FailingPlacement(new NoSuchMethodError("gone"));
    String line = FailingPlacement.class.getName() + " failed: java.lang.NoSuchMethodError: gone";
    assertThatThrownBy(() -> placeBy(failing, null, true, 2))
        .hasMessage(line)
        .satisfies(
            e ->
                assertThat(PolicyFailure.kindOf(e))
                    .contains(FailingPlacement.class.getName())
                    .doesNotContain("gone"));
    ManagedFile file = new ManagedFile(failing, view, "/f", Set.of(), limits, sources, List.of());
    assertThatThrownBy(() -> host.chooseExcess(file, new int[] {0, 1}, 1, null)).hasMessage(line);
  }

  private void assertRefused(
      PlantedPlacement policy, int replicas, String reason, DatanodeStorageInfo... existing) {
    assertThatThrownBy(() -> placeBy(policy, null, true, replicas, existing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("planted ")
        .hasMessageContaining(reason);
  }
}
