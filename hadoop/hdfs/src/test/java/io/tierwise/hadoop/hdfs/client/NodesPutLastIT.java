package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nodes that the NameNode puts last, because nobody should read there, stay last. */
class NodesPutLastIT {
  private static final long STALE_MILLIS = 5_000;

  /** A reader's clock is the latest heartbeat of another node, an interval old and a bit more. */
  private static final long SEEN_BY_READERS_MILLIS = STALE_MILLIS + 6_000;

  private static final long STALE_NANOS_MAX = 60_000_000_000L;

  private static MiniHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = MiniHdfs.configuration();
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_READ_KEY, true);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY, STALE_MILLIS);
    hdfs =
        MiniHdfs.start(
            conf,
            new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.DISK},
            new String[] {"/rack0", "/rack1", "/rack1"});
    hdfs.stock().mkdirs(new Path("/mixed"));
    hdfs.stock().setStoragePolicy(new Path("/mixed"), "ONE_SSD");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @Test
  void aNodeThatIsSilentIsReadLastThoughItsTierIsTheFastest() throws Exception {
    hdfs.write("/mixed/file", 2 * MiniHdfs.BLOCK_BYTES, 3);
    try (TierwiseFileSystem client =
        hdfs.client(ClientKeys.STRATEGY, "greedy", ClientKeys.LOCATION, "/rack1/host1")) {
      assertThat(typesOfFirst(client)).containsOnly(StorageType.SSD);
      DataNode ssd = hdfs.cluster().getDataNodes().get(0);
      DataNodeTestUtils.setHeartbeatsDisabledForTests(ssd, true);
      awaitStale(ssd);
      assertThat(typesOfFirst(hdfs.stock())).containsOnly(StorageType.DISK);
      assertThat(typesOfFirst(client)).containsOnly(StorageType.DISK);
      DataNodeTestUtils.setHeartbeatsDisabledForTests(ssd, false);
    }
  }

  private static void awaitStale(DataNode node) throws Exception {
    DatanodeDescriptor known =
        hdfs.cluster()
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(node.getDatanodeId());
    long end = System.nanoTime() + STALE_NANOS_MAX;
    while (!known.isStale(SEEN_BY_READERS_MILLIS) && System.nanoTime() < end) {
      LockSupport.parkNanos(50_000_000L);
    }
    assertThat(known.isStale(SEEN_BY_READERS_MILLIS)).isTrue();
  }

  private static List<StorageType> typesOfFirst(DistributedFileSystem files) throws IOException {
    return Arrays.stream(files.getFileBlockLocations(new Path("/mixed/file"), 0, Long.MAX_VALUE))
        .map(block -> block.getStorageTypes()[0])
        .toList();
  }
}
