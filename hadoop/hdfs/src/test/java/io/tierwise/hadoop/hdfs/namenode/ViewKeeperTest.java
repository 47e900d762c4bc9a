package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;

class ViewKeeperTest {
  private static final long USUAL_BYTES = 128L << 20;
  private static final long LEAST_BYTES = 1L << 20;

  private final NetworkTopology topology = new NetworkTopology();
  private final DatanodeStorageInfo storage;
  private final DatanodeDescriptor node;
  private final AtomicLong nowNanos = new AtomicLong(1_000);

  /** Each question for the time adds so much: a machine on which everything takes long. */
  private long clockStepNanos;

  ViewKeeperTest() {
    node =
        DFSTestUtil.createDatanodeStorageInfo(
                "s", "10.0.0.1", "/r1", "host1", StorageType.DISK, null)
            .getDatanodeDescriptor();
    storage = node.getStorageInfos()[0];
    topology.add(node);
  }

  private ViewKeeper keeper(Runnable onTick) {
    Configuration conf = new Configuration(false);
    return new ViewKeeper(
        topology,
        new CountedTiers(TierConfiguration.byStorageType()),
        new RegionNames(conf),
        new WriteAdmission(conf, null),
        USUAL_BYTES,
        LEAST_BYTES,
        onTick,
        () -> nowNanos.addAndGet(clockStepNanos));
  }

  private void pass(long seconds) {
    nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private static int tierOf(ViewKeeper keeper, DatanodeStorageInfo storage) {
    ClusterIndex index = keeper.lookNow();
    return index.volumeTiers[index.idOf(storage)];
  }

  @Test
  void smallBlocksWidenTheCellsAtOnceAndAreForgottenAfterMinutes() {
    ViewKeeper keeper = keeper(() -> {});
    assertThat(keeper.currentFor(USUAL_BYTES).cellBytes).isEqualTo(USUAL_BYTES);
    assertThat(keeper.currentFor(5L << 20).cellBytes).isEqualTo(4L << 20);
    pass(200);
    assertThat(keeper.currentFor(32L << 20).cellBytes).isEqualTo(4L << 20);
    pass(200);
    assertThat(keeper.lookNow().cellBytes).as("only the larger one is recent").isEqualTo(32L << 20);
    pass(200);
    assertThat(keeper.lookNow().cellBytes).isEqualTo(USUAL_BYTES);
    assertThat(keeper.currentFor(10).cellBytes).isEqualTo(LEAST_BYTES);
  }

  @Test
  void smallBlocksThatGoOnBeingWrittenStayInMind() {
    ViewKeeper keeper = keeper(() -> {});
    for (int minute = 0; minute < 20; minute++) {
      assertThat(keeper.currentFor(4L << 20).cellBytes).isEqualTo(4L << 20);
      pass(60);
      keeper.lookNow();
    }
  }

  @Test
  void aDirectoryThatIsTaggedAnewChangesItsTier() {
    ViewKeeper keeper = keeper(() -> {});
    int disk = tierOf(keeper, storage);
    BlockManagerTestUtil.updateStorage(
        node,
        new DatanodeStorage(storage.getStorageID(), DatanodeStorage.State.NORMAL, StorageType.SSD));
    pass(1);
    assertThat(tierOf(keeper, storage)).isNotEqualTo(disk).isNotEqualTo(ClusterView.NONE);
    assertThat(keeper.builtCount()).isEqualTo(1);
  }

  @Test
  void aNodeThatRegistersUnderAnotherNameOrAddressIsIndexedAnew() {
    ViewKeeper keeper = keeper(() -> {});
    node.updateRegInfo(id("10.0.0.1", "host2"));
    pass(1);
    keeper.lookNow();
    assertThat(keeper.builtCount()).isEqualTo(1);
    node.updateRegInfo(id("10.0.0.2", "host2"));
    pass(1);
    keeper.lookNow();
    assertThat(keeper.builtCount()).isEqualTo(2);
    pass(1);
    keeper.lookNow();
    assertThat(keeper.builtCount()).as("nothing changed").isEqualTo(2);
  }

  private DatanodeID id(String address, String host) {
    return new DatanodeID(
        address,
        host,
        node.getDatanodeUuid(),
        node.getXferPort(),
        node.getInfoPort(),
        node.getInfoSecurePort(),
        node.getIpcPort());
  }

  @Test
  void aNodeWithoutItsFirstHeartbeatIsLookedAtAgain() {
    node.setAlive(true);
    ViewKeeper keeper = keeper(() -> {});
    assertThat(keeper.current().storeNodes).isEmpty();
    storage.setUtilizationForTesting(1L << 40, 0, 1L << 40, 0);
    pass(1);
    ClusterIndex index = keeper.current();
    assertThat(index.storeNodes).as("room came with the heartbeat").hasSize(1);
    pass(1);
    long looks = keeper.lookCount();
    assertThat(keeper.current()).isSameAs(index);
    assertThat(keeper.lookCount()).isEqualTo(looks);
  }

  @Test
  void inASmallClusterALookThatTookLongHidesNoNode() {
    clockStepNanos = TimeUnit.MILLISECONDS.toNanos(50);
    ViewKeeper keeper = keeper(() -> {});
    keeper.lookNow();
    addReportedNode(2);
    assertThat(keeper.current().nodes).as("a node came while looks have to rest").hasSize(2);
    assertThat(keeper.currentFor(LEAST_BYTES).nodes).hasSize(2);
  }

  @Test
  void inASmallClusterALookAMomentAgoHidesNoVolumeFromSmallBlocks() {
    node.setAlive(true);
    storage.setUtilizationForTesting(1L << 40, 0, 1L << 40, 0);
    clockStepNanos = TimeUnit.MILLISECONDS.toNanos(50);
    ViewKeeper keeper = keeper(() -> {});
    keeper.lookNow();
    clockStepNanos = 0;
    assertThat(keeper.currentFor(LEAST_BYTES).cellBytes).isEqualTo(LEAST_BYTES);
    long looks = keeper.lookCount();
    assertThat(keeper.currentFor(LEAST_BYTES).cellBytes).isEqualTo(LEAST_BYTES);
    assertThat(keeper.lookCount()).as("once").isEqualTo(looks);
  }

  @Test
  void inASmallClusterALookThatTookLongDelaysTheNextByAMillisecond() {
    clockStepNanos = TimeUnit.MILLISECONDS.toNanos(50);
    ViewKeeper keeper = keeper(() -> {});
    int disk = tierOf(keeper, storage);
    BlockManagerTestUtil.updateStorage(
        node,
        new DatanodeStorage(storage.getStorageID(), DatanodeStorage.State.NORMAL, StorageType.SSD));
    clockStepNanos = 0;
    assertThat(tierOf(keeper, storage)).as("at once").isEqualTo(disk);
    nowNanos.addAndGet(ViewKeeper.REST_NANOS_MAX_INLINE);
    assertThat(tierOf(keeper, storage)).isNotEqualTo(disk).isNotEqualTo(ClusterView.NONE);
  }

  @Test
  void inALargeClusterADecisionWaitsForNoLookThatCostsMuch() {
    clockStepNanos = TimeUnit.MILLISECONDS.toNanos(50);
    for (int i = 2; i <= ViewKeeper.NODES_INLINE_MAX; i++) {
      addReportedNode(i);
    }
    ViewKeeper keeper = keeper(() -> {});
    keeper.lookNow();
    long looks = keeper.lookCount();
    addReportedNode(ViewKeeper.NODES_INLINE_MAX + 1);
    assertThat(keeper.current().nodes).hasSize(ViewKeeper.NODES_INLINE_MAX);
    assertThat(keeper.lookCount()).isEqualTo(looks);
  }

  private void addReportedNode(int number) {
    DatanodeStorageInfo of =
        DFSTestUtil.createDatanodeStorageInfo(
            "s" + number, "10.0.0." + number, "/r1", "host" + number, StorageType.DISK, null);
    of.setUtilizationForTesting(1L << 40, 0, 1L << 40, 0);
    of.getDatanodeDescriptor().setAlive(true);
    topology.add(of.getDatanodeDescriptor());
  }

  @Test
  void theThreadGoesOnAfterAnyError() throws InterruptedException {
    CountDownLatch ticks = new CountDownLatch(2);
    try (ViewKeeper keeper =
        keeper(
            () -> {
              ticks.countDown();
              pass(1);
              throw new NoClassDefFoundError("planted");
            })) {
      keeper.start();
      assertThat(ticks.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
