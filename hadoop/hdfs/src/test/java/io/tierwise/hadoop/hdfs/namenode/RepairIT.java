package io.tierwise.hadoop.hdfs.namenode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replicas are lost, added and dropped: the layout of a managed file comes back. */
class RepairIT {
  private static final int BLOCKS = 3;
  private static final String LAYOUT = "fast middle slow";

  private TieredCluster cluster;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_KEY, 1);
    cluster = TieredCluster.start(conf, "/r1", "/r1", "/r2", "/r2", "/r3", "/r3", "/r3");
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void lostReplicasComeBackInTheirTiersAlsoWhenTheNodeDiedInTheMiddleOfAWrite() throws IOException {
    Path directory = cluster.directory("/managed", "hybrid");
    Path written = cluster.write(new Path(directory, "written"), BLOCKS, 3);
    Path writing = new Path(directory, "writing");
    byte[] content = TieredCluster.blocksOf(writing, BLOCKS);
    String lost;
    DataNodeProperties stopped;
    try (FSDataOutputStream out =
        cluster.files().create(writing, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES)) {
      int half = TieredCluster.BLOCK_BYTES / 2;
      out.write(content, 0, half);
      out.hflush();
      lost = holderOf(StorageType.SSD, cluster.blocks(writing).get(0));
      stopped = Outages.stop(cluster, lost);
      out.write(content, half, content.length - half);
    }
    Outages.declareDead(cluster, lost, stopped);
    for (Path file : List.of(written, writing)) {
      Outages.awaitRepair(
          cluster,
          "the layout of " + file,
          () ->
              cluster.blocks(file).stream()
                  .allMatch(b -> TieredCluster.tiers(b).equals(LAYOUT) && !isOn(lost, b)));
      cluster.assertWhole(file, BLOCKS);
    }
  }

  private static String holderOf(StorageType type, LocatedBlock block) {
    DatanodeInfoWithStorage[] nodes = block.getLocations();
    return Arrays.stream(nodes)
        .filter(node -> node.getStorageType() == type)
        .findFirst()
        .orElseThrow()
        .getXferAddr();
  }

  private static boolean isOn(String address, LocatedBlock block) {
    return Arrays.stream(block.getLocations()).anyMatch(n -> n.getXferAddr().equals(address));
  }

  @Tag("long")
  @Test
  void nodeThatComesBackWithItsReplicasCostsNoTierItsLastOne() throws IOException {
    Path file = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), BLOCKS, 3);
    String gone = holderOf(StorageType.ARCHIVE, cluster.blocks(file).get(0));
    DataNodeProperties properties = Outages.lose(cluster, gone);
    Outages.awaitRepair(
        cluster,
        "copies of what was lost",
        () ->
            cluster.blocks(file).stream()
                .allMatch(b -> TieredCluster.tiers(b).equals(LAYOUT) && !isOn(gone, b)));
    assertThat(cluster.mini().restartDataNode(properties, false)).isTrue();
    Outages.awaitRepair(
        cluster,
        "one replica too many is dropped",
        () ->
            cluster.counters().deletionsByPolicy() > 0
                && cluster.blocks(file).stream().allMatch(b -> b.getLocations().length == 3));
    assertThat(cluster.tiersOfBlocks(file)).containsOnly(LAYOUT);
    cluster.assertWhole(file, BLOCKS);
  }

  @Test
  void setrepUpAndDownKeepsTheLayoutOfAManagedFileAndIsStocksForAnUnmanagedOne()
      throws IOException {
    Path managed = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), BLOCKS, 3);
    Path formerly = cluster.write(new Path(cluster.directory("/former", "hybrid"), "f"), BLOCKS, 3);
    cluster.files().removeXAttr(formerly.getParent(), TieredCluster.ATTRIBUTE);

    cluster.replicate(5, managed);
    cluster.replicate(3, managed);
    assertThat(cluster.tiersOfBlocks(managed)).containsOnly(LAYOUT);

    long byPolicy = cluster.counters().deletionsByPolicy();
    cluster.replicate(1, managed, formerly);
    assertThat(cluster.tiersOfBlocks(managed)).containsOnly("fast");
    // Stock drops what is not of the storage policy's type, and a file without policy is stock's.
    assertThat(cluster.tiersOfBlocks(formerly)).containsOnly("middle");
    assertThat(cluster.counters().deletionsByPolicy()).isEqualTo(byPolicy + 2L * BLOCKS);
  }

  @Test
  void decommissionAndMaintenanceMoveReplicasWithinTheirTiersAndTakeNoNewOnes() throws IOException {
    Path file = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), BLOCKS, 3);
    DatanodeManager nodes = cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor leaving =
        nodes.getDatanode(cluster.blocks(file).get(0).getLocations()[0].getDatanodeUuid());
    cluster.changeNodes(admin -> admin.startDecommission(leaving));
    Outages.awaitRepair(cluster, "decommissioned", leaving::isDecommissioned);
    for (LocatedBlock block : cluster.blocks(file)) {
      LocatedBlock live = withoutOutOfService(block);
      assertThat(TieredCluster.tiers(live)).isEqualTo(LAYOUT);
    }
    DatanodeDescriptor serviced =
        nodes.getDatanode(cluster.blocks(file).get(0).getLocations()[0].getDatanodeUuid());
    cluster.changeNodes(admin -> admin.startMaintenance(serviced, Long.MAX_VALUE));
    Path next = cluster.write(new Path("/managed/next"), BLOCKS, 3);
    for (LocatedBlock block : cluster.blocks(next)) {
      assertThat(TieredCluster.tiers(block)).isEqualTo(LAYOUT);
      assertThat(isOn(leaving.getXferAddr(), block)).isFalse();
      assertThat(isOn(serviced.getXferAddr(), block)).isFalse();
    }
    cluster.assertWhole(file, BLOCKS);
    cluster.assertWhole(next, BLOCKS);
    cluster.changeNodes(admin -> admin.stopMaintenance(serviced));
    cluster.changeNodes(admin -> admin.stopDecommission(leaving));
    Outages.awaitRepair(
        cluster,
        "replicas beyond three are dropped",
        () -> cluster.blocks(file).stream().allMatch(b -> b.getLocations().length == 3));
    assertThat(cluster.tiersOfBlocks(file)).containsOnly(LAYOUT);
  }

  private static LocatedBlock withoutOutOfService(LocatedBlock block) {
    DatanodeInfoWithStorage[] live =
        Arrays.stream(block.getLocations())
            .filter(node -> node.isInService())
            .toArray(DatanodeInfoWithStorage[]::new);
    return new LocatedBlock(
        block.getBlock(),
        live,
        Arrays.stream(live).map(DatanodeInfoWithStorage::getStorageID).toArray(String[]::new),
        Arrays.stream(live)
            .map(DatanodeInfoWithStorage::getStorageType)
            .toArray(StorageType[]::new));
  }

  /** Long: HighAvailabilityIT has policies and ratios after a failover. */
  @Tag("long")
  @Test
  void policiesAndRatiosSurviveARestartOfTheNameNodeAndSafeModeChangesNothing() throws IOException {
    Path set = cluster.directory("/set", "zone-ratio:fast=0.4,middle+slow=0.6,scope=directory");
    Path before = cluster.write(new Path(set, "before"), 3, 1);
    Path managed = cluster.directory("/managed", "hybrid");
    Outages.restartNameNode(cluster);
    assertThat(cluster.host()).isNotNull();

    Path after = cluster.write(new Path(set, "after"), 4, 1);
    long fast = cluster.blocksIn("fast", before) + cluster.blocksIn("fast", after);
    assertThat(fast).isEqualTo((long) Math.ceil(0.4 * 7));
    Path file = cluster.write(new Path(managed, "file"), BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly(LAYOUT);

    cluster.files().setSafeMode(SafeModeAction.ENTER);
    assertThatThrownBy(() -> cluster.setPolicy(managed, "random"))
        .hasMessageContaining("safe mode");
    cluster.files().setSafeMode(SafeModeAction.LEAVE);
    assertThat(new String(cluster.files().getXAttr(managed, TieredCluster.ATTRIBUTE), UTF_8))
        .isEqualTo("hybrid");
  }

  @Tag("long")
  @Test
  void abandonedAndDeletedFilesDoNotSpoilTheRatioOfADirectory() throws IOException {
    Path set = cluster.directory("/set", "zone-ratio:fast=0.5,middle+slow=0.5,scope=directory");
    cluster.write(new Path(set, "kept"), 1, 1);
    Path dropped = new Path(set, "dropped");
    FSDataOutputStream open =
        cluster.files().create(dropped, true, 4096, (short) 1, TieredCluster.BLOCK_BYTES);
    open.write(TieredCluster.blocksOf(dropped, 2));
    open.hflush();
    cluster.files().delete(dropped, false);
    assertThatThrownBy(open::close).isInstanceOf(IOException.class);
    long looks = cluster.host().views().lookCount();
    TieredCluster.await(
        "the directory is counted again", () -> cluster.host().views().lookCount() > looks + 3);
    Path next = cluster.write(new Path(set, "next"), 3, 1);
    // Block 0 is in the fast zone, so of the blocks 1, 2 and 3 one more is.
    assertThat(cluster.blocksIn("fast", next)).isEqualTo(1);
  }
}
