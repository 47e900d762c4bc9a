package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order that a client without any plug-in gets from a NameNode with ours. */
class TierwiseTopologyIT {
  private static final int FILE_BYTES = 8 * MiniHdfs.BLOCK_BYTES;

  private MiniHdfs hdfs;
  private byte[] data;

  @AfterEach
  void stop() {
    hdfs.close();
  }

  private void start(String strategy) throws IOException {
    Configuration conf = MiniHdfs.configuration();
    OrderKeys.of(strategy).forEach(conf::set);
    hdfs =
        MiniHdfs.start(
            conf,
            new StorageType[] {
              StorageType.SSD, StorageType.DISK, StorageType.DISK, StorageType.DISK
            },
            new String[] {"/rack0", "/rack0", "/rack1", "/rack1"});
    hdfs.stock().mkdirs(new Path("/mixed"));
    hdfs.stock().setStoragePolicy(new Path("/mixed"), "ONE_SSD");
    data = hdfs.write("/mixed/file", FILE_BYTES, 3);
  }

  private BlockManager blockManager() {
    NameNode nameNode = hdfs.cluster().getNameNode();
    return nameNode.getNamesystem().getBlockManager();
  }

  private TierwiseTopology topology() {
    return (TierwiseTopology) blockManager().getDatanodeManager().getNetworkTopology();
  }

  @Test
  void aStockClientReadsTheFastestReplicaFirstAndNodesOutOfServiceLast() throws IOException {
    start("greedy");
    BlockLocation[] locations =
        hdfs.stock().getFileBlockLocations(new Path("/mixed/file"), 0, FILE_BYTES);
    assertThat(locations).hasSize(8);
    for (BlockLocation location : locations) {
      assertThat(location.getStorageTypes()[0]).isEqualTo(StorageType.SSD);
      assertThat(location.getHosts()[0]).isEqualTo("host0");
    }
    try (FSDataInputStream in = hdfs.stock().open(new Path("/mixed/file"))) {
      assertThat(in.readAllBytes()).isEqualTo(data);
    }
    assertThat(topology().orderedBlockCount()).isPositive();
    assertThat(topology().failureCount()).isZero();

    DatanodeDescriptor fast = descriptor("host0");
    fast.setDecommissioned();
    for (LocatedBlock block :
        hdfs.stock().getClient().getLocatedBlocks("/mixed/file", 0).getLocatedBlocks()) {
      DatanodeInfo[] nodes = block.getLocations();
      assertThat(nodes[nodes.length - 1].getHostName()).isEqualTo("host0");
    }
  }

  private DatanodeDescriptor descriptor(String host) {
    return Arrays.stream(
            hdfs.cluster().getDataNodes().stream()
                .map(
                    node -> blockManager().getDatanodeManager().getDatanode(node.getDatanodeUuid()))
                .toArray(DatanodeDescriptor[]::new))
        .filter(node -> node.getHostName().equals(host))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Answers of one moment: the one fast node is not all that a hundred readers are sent to. Long:
   * ReadFaultsIT has clients without our file system.
   */
  @Tag("long")
  @Test
  void autoSpreadsStockClientsOverReplicasByWhatItAnsweredBefore() throws IOException {
    start("auto");
    Set<String> firsts = new HashSet<>();
    for (int reader = 0; reader < 100; reader++) {
      for (LocatedBlock block :
          hdfs.stock().getClient().getLocatedBlocks("/mixed/file", 0).getLocatedBlocks()) {
        firsts.add(block.getLocations()[0].getHostName());
        assertThat(block.getLocations()).hasSize(3);
      }
    }
    assertThat(firsts).contains("host0").hasSizeGreaterThan(1);
    try (FSDataInputStream in = hdfs.stock().open(new Path("/mixed/file"))) {
      assertThat(in.readAllBytes()).isEqualTo(data);
    }
    assertThat(topology().failureCount()).isZero();
    assertThat(topology().strategy().name()).isEqualTo("auto");
  }

  @Test
  void withoutAStrategyOrWithAnUnknownOneTheOrderIsStock() throws IOException {
    start("fastest-first");
    assertThat(topology().strategy()).isNull();
    try (FSDataInputStream in = hdfs.stock().open(new Path("/mixed/file"))) {
      assertThat(in.readAllBytes()).isEqualTo(data);
    }
    assertThat(topology().orderedBlockCount()).isZero();
    TierwiseTopology off = new TierwiseTopology();
    off.setConf(new Configuration(false));
    assertThat(off.strategy()).isNull();
    TierwiseTopology learning = new TierwiseTopology();
    Configuration adaptive = new Configuration(false);
    adaptive.set(TierwiseTopology.STRATEGY, "adaptive");
    learning.setConf(adaptive);
    assertThat(learning.strategy()).isNull();
  }
}
