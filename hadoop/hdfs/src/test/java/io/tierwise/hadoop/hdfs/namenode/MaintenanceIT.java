package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node is in maintenance and off, as nodes in maintenance are, while another one dies. Long:
 * RepairIT has a node in maintenance.
 */
@Tag("long")
class MaintenanceIT {
  private static final int BLOCKS = 3;
  private static final StorageType[] SSD = {StorageType.SSD};
  private static final StorageType[] DISK = {StorageType.DISK};
  private static final StorageType[] ARCHIVE = {StorageType.ARCHIVE};

  private static final StorageType[] ALL = {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE};

  @Test
  void replicaThatWaitsOnANodeInMaintenanceIsNotMadeAgainInTheSteadOfTheLostOne()
      throws IOException {
    String[] racks = {"/r1", "/r2", "/r1", "/r2", "/r3", "/r3", "/r4"};
    StorageType[][] types = {SSD, SSD, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE};
    assertLayoutComesBack(racks, types);
  }

  /** By its node nobody could tell what the replica that waits stands for. */
  @Test
  void alsoWhereEachNodeHasAllTiers() throws IOException {
    String[] racks = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3", "/r3"};
    StorageType[][] types = {ALL, ALL, ALL, ALL, ALL, ALL, ALL};
    assertLayoutComesBack(racks, types);
  }

  private static void assertLayoutComesBack(String[] racks, StorageType[][] types)
      throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_KEY, 1);
    try (TieredCluster cluster = TieredCluster.start(conf, racks, types, null)) {
      Path file = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), BLOCKS, 3);
      assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast middle slow");
      String serviced = holderOf(StorageType.SSD, cluster.blocks(file).get(0));
      DataNodeProperties off = service(cluster, serviced);
      String lost = holderOf(StorageType.ARCHIVE, cluster.blocks(file).get(0));
      Outages.lose(cluster, lost);
      Outages.awaitRepair(
          cluster,
          "copies of what was lost",
          () ->
              cluster.blocks(file).stream()
                  .allMatch(block -> liveCount(block, serviced) >= 2 && !isOn(lost, block)));
      assertThat(cluster.mini().restartDataNode(off, true)).isTrue();
      DatanodeDescriptor back = descriptor(cluster, serviced);
      // Else HDFS gives its replicas up, and drops them again when it is back.
      TieredCluster.await(serviced + " is back", back::isAlive);
      cluster.changeNodes(admin -> admin.stopMaintenance(back));
      Outages.awaitRepair(
          cluster,
          "the layout of all blocks",
          () -> cluster.tiersOfBlocks(file).stream().allMatch("fast middle slow"::equals));
      cluster.assertWhole(file, BLOCKS);
    }
  }

  /** Takes a node into maintenance and turns it off. */
  private static DataNodeProperties service(TieredCluster cluster, String address) {
    DatanodeDescriptor node = descriptor(cluster, address);
    cluster.changeNodes(admin -> admin.startMaintenance(node, Long.MAX_VALUE));
    TieredCluster.await(address + " is in maintenance", node::isInMaintenance);
    return Outages.lose(cluster, address);
  }

  private static DatanodeManager nodes(TieredCluster cluster) {
    return cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
  }

  private static DatanodeDescriptor descriptor(TieredCluster cluster, String address) {
    return nodes(cluster).getDatanodes().stream()
        .filter(node -> node.getXferAddr().equals(address))
        .findFirst()
        .orElseThrow();
  }

  private static String holderOf(StorageType type, LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .filter(node -> node.getStorageType() == type)
        .findFirst()
        .orElseThrow()
        .getXferAddr();
  }

  private static boolean isOn(String address, LocatedBlock block) {
    return Arrays.stream(block.getLocations()).anyMatch(n -> n.getXferAddr().equals(address));
  }

  private static long liveCount(LocatedBlock block, String without) {
    return Arrays.stream(block.getLocations())
        .filter(DatanodeInfoWithStorage::isInService)
        .filter(node -> !node.getXferAddr().equals(without))
        .count();
  }
}
