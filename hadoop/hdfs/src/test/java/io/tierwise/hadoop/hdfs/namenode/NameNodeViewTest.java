package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The view over real node descriptors keeps the contract of {@link ClusterView}. */
class NameNodeViewTest {
  private static final int NODES = 90;
  private static final long BLOCK = 100;
  private static final long AVERAGE_TRANSFERS = 10;
  private static final StorageType[] TYPES = {
    StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE, StorageType.PROVIDED
  };

  private final Random random = new Random(3);
  private final List<Node> nodes = new ArrayList<>();
  private final Configuration conf = RoomByVolumeTest.keepingNothing();
  private final WriteAdmission admission =
      new WriteAdmission(conf, new SteadyClusterStats(NODES, AVERAGE_TRANSFERS));
  private ClusterIndex index;
  private ClusterView view;

  @BeforeEach
  void makeCluster() {
    for (int i = 0; i < NODES; i++) {
      DatanodeStorageInfo storage =
          DFSTestUtil.createDatanodeStorageInfo(
              "s" + i,
              "10.0.0." + i,
              "/g" + random.nextInt(3) + "/r" + random.nextInt(4),
              "h" + i,
              TYPES[random.nextInt(TYPES.length)],
              null);
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      node.setAlive(true);
      for (DatanodeStorageInfo each : node.getStorageInfos()) {
        long remaining = random.nextInt(6) * BLOCK;
        each.setUtilizationForTesting(10 * BLOCK, 10 * BLOCK - remaining, remaining, 0);
        for (int scheduled = random.nextInt(4); scheduled > 0; scheduled--) {
          DatanodeStorageInfo.incrementBlocksScheduled(each);
        }
      }
      nodes.add(node);
    }
    index =
        ClusterIndex.of(
            nodes, TierConfiguration.byStorageType(), new RegionNames(conf), admission, BLOCK);
    view = new NameNodeView(index, admission, ClusterView.NONE);
  }

  @Test
  void everyCellIsARangeOfStoresOfItsTierAndRackAndRegionsAreRangesOfRacks() {
    int seen = 0;
    for (int tier = 0; tier < view.tiers().count(); tier++) {
      for (int rack = 0; rack < view.rackCount(); rack++) {
        for (int store = view.cellStart(tier, rack);
            store < view.cellStart(tier, rack + 1);
            store++) {
          assertThat(store).isEqualTo(seen++);
          int node = view.nodeOfStore(store);
          assertThat(view.tierOfStore(store)).isEqualTo(tier);
          assertThat(view.rackOfNode(node)).isEqualTo(rack);
          assertThat(view.storeOfNode(node, tier)).isEqualTo(store);
        }
      }
    }
    assertThat(seen).isEqualTo(view.storeCount()).isPositive();
    for (int region = 0; region < view.regionCount(); region++) {
      for (int rack = view.rackStart(region); rack < view.rackStart(region + 1); rack++) {
        assertThat(view.regionOfRack(rack)).isEqualTo(region);
        assertThat(view.rackName(rack)).startsWith("/" + view.regionName(region) + "/");
      }
    }
    assertThat(view.regionCount()).isEqualTo(3);
    assertThat(view.rackStart(3)).isEqualTo(view.rackCount());
  }

  @Test
  void volumeIsGivenExactlyWhereStockHdfsFindsAStorageOfThatType() {
    int given = 0;
    for (int store = 0; store < view.storeCount(); store++) {
      int volume = view.volumeIn(store, BLOCK, random.nextInt(Integer.MAX_VALUE));
      DatanodeDescriptor node = index.nodes[view.nodeOfStore(store)];
      StorageType type = index.volumes[index.storeVolumeStarts[store]].getStorageType();
      assertThat(volume != ClusterView.NONE)
          .isEqualTo(node.chooseStorage4Block(type, BLOCK, 1) != null);
      given += volume == ClusterView.NONE ? 0 : 1;
    }
    assertThat(given).isBetween(1, view.storeCount() - 1);
  }

  @Test
  void everyStorageHasANumberAlsoOneThatIsFullOrOfNoTier() {
    assertThat(view.volumeCount()).isGreaterThan(view.storeCount());
    for (Node node : nodes) {
      for (DatanodeStorageInfo storage : ((DatanodeDescriptor) node).getStorageInfos()) {
        int volume = index.idOf(storage);
        assertThat(index.volumes[volume]).isSameAs(storage);
        assertThat(index.nodes[view.nodeOfVolume(volume)]).isSameAs(node);
        assertThat(view.tierOfVolume(volume) < 0)
            .isEqualTo(storage.getStorageType() == StorageType.PROVIDED);
      }
    }
  }

  @Test
  void roomThatWasTakenSinceTheLatestHeartbeatIsNotGivenAgain() {
    for (int store = 0; store < view.storeCount(); store++) {
      int left = 10;
      while (left-- > 0) {
        int volume = view.volumeIn(store, BLOCK, 0);
        if (volume == ClusterView.NONE) {
          break;
        }
        index.placed.add(volume, index.volumes[volume], BLOCK);
      }
      assertThat(left).isPositive();
    }
    DatanodeDescriptor node = index.nodes[view.nodeOfStore(0)];
    boolean fits = node.chooseStorage4Block(index.volumes[0].getStorageType(), BLOCK, 1) != null;
    node.setLastUpdateMonotonic(node.getLastUpdateMonotonic() + 1);
    assertThat(view.volumeIn(0, BLOCK, 0) != ClusterView.NONE).isEqualTo(fits);
  }

  @Test
  void answersOfCheckAreLive() {
    int node = view.nodeOfStore(7);
    DatanodeDescriptor descriptor = index.nodes[node];
    ClusterView ofWriter = new NameNodeView(index, admission, node);
    assertThat(view.check(7, BLOCK)).isEqualTo(Refusal.NONE);
    descriptor.startMaintenance();
    assertThat(ofWriter.check(7, BLOCK)).isEqualTo(Refusal.MAINTENANCE);
    descriptor.stopMaintenance();
    descriptor.startDecommission();
    assertThat(ofWriter.check(7, BLOCK)).isEqualTo(Refusal.DECOMMISSIONING);
    descriptor.stopDecommission();
    descriptor.setAlive(false);
    assertThat(view.check(7, BLOCK)).isEqualTo(Refusal.DEAD);
  }

  @Test
  void nodeIsOverloadedAboveTwiceTheAverageOfItsTierAndAboveTheFloorButNotForItsOwnWriter() {
    int tier = view.tierOfStore(0);
    DatanodeDescriptor node = index.nodes[view.nodeOfStore(0)];
    node.setXceiverCount(TierLoads.FLOOR_DEFAULT);
    admission.refreshLoad(index);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.NONE);
    node.setXceiverCount(TierLoads.FLOOR_DEFAULT + 1);
    admission.refreshLoad(index);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.OVERLOADED);
    assertThat(new NameNodeView(index, admission, view.nodeOfStore(0)).check(0, BLOCK))
        .isEqualTo(Refusal.NONE);
    // Nodes of other tiers do not matter: the whole tier is as busy as this node.
    for (int i = 0; i < index.nodes.length; i++) {
      boolean ofTier = (index.nodeTiers[i] >> tier & 1) != 0;
      index.nodes[i].setXceiverCount(ofTier ? TierLoads.FLOOR_DEFAULT + 1 : 0);
    }
    admission.refreshLoad(index);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.NONE);
    for (DatanodeDescriptor each : index.nodes) {
      each.setXceiverCount(20);
    }
    node.setXceiverCount(40);
    admission.refreshLoad(index);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.NONE);
    node.setXceiverCount(60);
    admission.refreshLoad(index);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.OVERLOADED);
  }

  @Test
  void nodesThatServeNoLongerAreNotWhatANodeIsComparedWith() {
    DatanodeDescriptor node = index.nodes[view.nodeOfStore(0)];
    for (int i = 0; i < index.nodes.length; i++) {
      DatanodeDescriptor other = index.nodes[i];
      other.setXceiverCount(i % 3 == 0 ? 20 : 1_000);
      if (i % 3 == 1) {
        other.startDecommission();
      } else if (i % 3 == 2) {
        other.setAlive(false);
      }
    }
    node.stopDecommission();
    node.setAlive(true);
    node.setXceiverCount(200);
    admission.refreshLoad(index);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.OVERLOADED);
  }

  @Test
  void nodeThatIsBusySinceTheLoadsWereTakenIsOverloadedAlsoWhereItsTierDidNothingThen() {
    for (DatanodeDescriptor each : index.nodes) {
      each.setXceiverCount(0);
    }
    admission.refreshLoad(index);
    DatanodeDescriptor node = index.nodes[view.nodeOfStore(0)];
    node.setXceiverCount(TierLoads.FLOOR_DEFAULT);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.NONE);
    node.setXceiverCount(TierLoads.FLOOR_DEFAULT + 1);
    assertThat(view.check(0, BLOCK)).isEqualTo(Refusal.OVERLOADED);
  }

  @Test
  void fingerprintChangesWithWhatTheIndexShowsAndWithNothingElse() {
    assertThat(ClusterIndex.fingerprintOf(nodes, admission, BLOCK)).isEqualTo(index.fingerprint);
    DatanodeDescriptor node = index.nodes[5];
    node.setXceiverCount(500);
    assertThat(ClusterIndex.fingerprintOf(nodes, admission, BLOCK)).isEqualTo(index.fingerprint);
    node.startDecommission();
    assertThat(ClusterIndex.fingerprintOf(nodes, admission, BLOCK)).isNotEqualTo(index.fingerprint);
    node.stopDecommission();
    DatanodeStorageInfo full = index.volumes[0];
    full.setUtilizationForTesting(10 * BLOCK, 10 * BLOCK, 0, 0);
    assertThat(ClusterIndex.fingerprintOf(nodes, admission, BLOCK)).isNotEqualTo(index.fingerprint);
  }
}
