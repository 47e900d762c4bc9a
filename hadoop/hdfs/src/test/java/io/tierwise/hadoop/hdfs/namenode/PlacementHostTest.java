package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.tiers.ByteLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block for which the policy is asked twice, the second time with a new index, counts once. */
class PlacementHostTest extends MadeHost {
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
}
