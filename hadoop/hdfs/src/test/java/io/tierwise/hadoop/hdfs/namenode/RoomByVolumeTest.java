package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two tiers of one storage type on one node: what comes to one takes no room of the other. */
class RoomByVolumeTest {
  private static final long BLOCK = 128L << 20;
  private static final String TIERS =
      """
      tiers:
        - {name: nvme, match: {storage-type: SSD, storage-ids: [nvme*]}}
        - {name: sata, match: {storage-type: SSD, storage-ids: [sata*]}}
      """;

  private final WriteAdmission admission = new WriteAdmission(keepingNothing(), null);
  private long blockId;
  private DatanodeDescriptor node;
  private DatanodeStorageInfo nvme;
  private DatanodeStorageInfo sata;
  private ClusterIndex index;
  private ClusterView view;

  /** Settings of a NameNode whose DataNodes fill their volumes to the last block. */
  static Configuration keepingNothing() {
    Configuration conf = new Configuration(false);
    conf.setLong(KeptFree.KEY, 0);
    return conf;
  }

  @BeforeEach
  void makeNode() {
    node = DFSTestUtil.getDatanodeDescriptor("10.0.0.1", "/r", "h");
    node.setAlive(true);
    nvme = addStorage("nvme");
    sata = addStorage("sata");
  }

  private DatanodeStorageInfo addStorage(String id) {
    return BlockManagerTestUtil.updateStorage(
        node, new DatanodeStorage(id, DatanodeStorage.State.NORMAL, StorageType.SSD));
  }

  private void room(long nvmeBlocks, long sataBlocks) {
    nvme.setUtilizationForTesting(1000 * BLOCK, 0, nvmeBlocks * BLOCK, 0);
    sata.setUtilizationForTesting(1000 * BLOCK, 0, sataBlocks * BLOCK, 0);
    index =
        ClusterIndex.of(
            List.of(node),
            TierConfiguration.parse(TIERS, "tiers.yaml"),
            new RegionNames(new Configuration(false)),
            admission,
            BLOCK);
    view = new NameNodeView(index, admission, ClusterView.NONE);
  }

  /** As a decision for a managed file, after which the NameNode allocates the block. */
  private void place(DatanodeStorageInfo storage, int blocks) {
    for (int i = 0; i < blocks; i++) {
      index.placed.add(index.idOf(storage), storage, BLOCK);
      DatanodeStorageInfo.incrementBlocksScheduled(storage);
    }
  }

  /** As stock HDFS, which counts by type alone. */
  private void placeByStock(int blocks) {
    for (int i = 0; i < blocks; i++) {
      DatanodeStorageInfo.incrementBlocksScheduled(sata);
    }
  }

  private void receive(DatanodeStorageInfo storage, int blocks) {
    for (int i = 0; i < blocks; i++) {
      Block block = new Block(++blockId);
      storage.addBlock(new BlockInfoContiguous(block, (short) 1), block);
      DatanodeStorageInfo.decrementBlocksScheduled(storage);
    }
  }

  /** As the NameNode does after a while with blocks that never came. */
  private void forget(DatanodeStorageInfo storage, int blocks) {
    for (int i = 0; i < blocks; i++) {
      DatanodeStorageInfo.decrementBlocksScheduled(storage);
    }
  }

  private void heartbeat() {
    node.setLastUpdateMonotonic(node.getLastUpdateMonotonic() + 3000);
  }

  private boolean takes(String tier) {
    int store = view.storeOfNode(0, view.tiers().find(tier).orElseThrow().index());
    return view.volumeIn(store, BLOCK, 0) != ClusterView.NONE;
  }

  @Test
  void aNearlyFullTierTakesBlocksWhileManyGoToTheOtherOfItsType() {
    room(5, 500);
    place(sata, 200);
    assertThat(takes("nvme")).isTrue();
    heartbeat();
    assertThat(takes("nvme")).isTrue();
    assertThat(takes("sata")).isTrue();
  }

  @Test
  void theReverse() {
    room(500, 5);
    place(nvme, 200);
    heartbeat();
    assertThat(takes("sata")).isTrue();
  }

  @Test
  void aTierThatItsOwnBlocksWillFillIsFull() {
    room(5, 500);
    place(sata, 200);
    place(nvme, 5);
    assertThat(takes("nvme")).isFalse();
    heartbeat();
    assertThat(takes("nvme")).isFalse();
    receive(nvme, 5);
    heartbeat();
    assertThat(takes("nvme")).isTrue();
  }

  @Test
  void blocksThatWereReceivedDoNotHideThoseThatCome() {
    room(5, 500);
    place(sata, 200);
    receive(sata, 200);
    heartbeat();
    place(nvme, 5);
    heartbeat();
    assertThat(takes("nvme")).isFalse();
    assertThat(takes("sata")).isTrue();
  }

  @Test
  void blocksThatNeverCameAreForgottenWhenTheNameNodeForgetsThem() {
    room(5, 500);
    place(nvme, 5);
    assertThat(takes("nvme")).isFalse();
    forget(nvme, 5);
    heartbeat();
    place(sata, 200);
    assertThat(takes("nvme")).isTrue();
    heartbeat();
    assertThat(takes("nvme")).isTrue();
  }

  @Test
  void blocksOfStockHdfsMayGoToAnyVolumeOfTheTypeAndCountForEach() {
    room(5, 500);
    placeByStock(5);
    assertThat(takes("nvme")).isFalse();
    receive(sata, 1);
    assertThat(takes("nvme")).isTrue();
  }

  @Test
  void aNewIndexGoesOnCounting() {
    room(5, 500);
    place(sata, 200);
    place(nvme, 5);
    heartbeat();
    ClusterIndex before = index;
    room(5, 500);
    index.takeOver(before);
    assertThat(takes("nvme")).isFalse();
    assertThat(takes("sata")).isTrue();
    receive(nvme, 5);
    heartbeat();
    assertThat(takes("nvme")).isTrue();
  }

  @Test
  void aNewIndexKnowsWhatWasReceivedBeforeItWasMade() {
    room(5, 500);
    place(sata, 200);
    receive(sata, 200);
    place(nvme, 5);
    ClusterIndex before = index;
    room(5, 500);
    index.takeOver(before);
    heartbeat();
    assertThat(takes("nvme")).as("all that comes is for it").isFalse();
    assertThat(takes("sata")).isTrue();
  }

  @Test
  void aVolumeThatFailedSinceTheIndexWasMadeTakesNothing() {
    room(500, 500);
    BlockManagerTestUtil.updateStorage(
        node, new DatanodeStorage("nvme", DatanodeStorage.State.FAILED, StorageType.SSD));
    assertThat(takes("nvme")).isFalse();
    assertThat(takes("sata")).isTrue();
  }
}
