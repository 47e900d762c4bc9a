package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.topology.OrderKeys;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads under {@code auto} from nodes of which one is slower than it is said to be. */
class SlowReplicaIT {
  private static final String SLOW_BYTES_PER_SECOND = String.valueOf(64 << 10);
  private static final String TIERS =
      """
      tiers:
        - name: fast
          match: {storage-type: SSD}
          class: {name: ssd, read-megabytes-per-second: 100}
        - name: slow
          match: {storage-type: DISK}
          class: {name: disk, read-megabytes-per-second: 1000}
      """;

  private static final int NEAR = 0;
  private static final int FAR = 1;

  private static MiniHdfs hdfs;

  @BeforeAll
  static void start(@TempDir File folder) throws IOException {
    Configuration conf = MiniHdfs.configuration();
    // The NameNode puts the fast tier first, whatever the addresses of this machine are.
    OrderKeys.of("greedy", folder, TIERS).forEach(conf::set);
    hdfs =
        MiniHdfs.start(
            conf,
            new StorageType[] {StorageType.SSD, StorageType.DISK},
            new String[] {"/near", "/far"});
    hdfs.stock().setStoragePolicy(new Path("/"), "ONE_SSD");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @AfterEach
  void mend() throws Exception {
    limit(NEAR, null);
    limit(FAR, null);
  }

  /** Of all reads from a node; null takes the limit away. */
  private static void limit(int node, String bytesPerSecond) throws Exception {
    DataNode datanode = hdfs.cluster().getDataNodes().get(node);
    datanode.reconfigureProperty(
        DFSConfigKeys.DFS_DATANODE_DATA_READ_BANDWIDTHPERSEC_KEY, bytesPerSecond);
  }

  private static TierwiseFileSystem reader() throws IOException {
    return hdfs.client(ClientKeys.STRATEGY, "auto", ClientKeys.LOCATION, "/near/elsewhere");
  }

  private static byte[] read(TierwiseFileSystem client, String path) throws IOException {
    try (FSDataInputStream in = client.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  /**
   * The slow node would take 16 s. The other is said to be so fast that load beside hides nothing.
   */
  @Test
  void aReadThatCrawlsGoesOnFromAnotherReplica() throws Exception {
    byte[] data = hdfs.write("/crawls", MiniHdfs.BLOCK_BYTES, 2);
    limit(NEAR, SLOW_BYTES_PER_SECOND);
    try (TierwiseFileSystem client = reader()) {
      assertThat(read(client, "/crawls")).isEqualTo(data);
      ReadCounts counts = client.readStatistics().orElseThrow();
      assertThat(counts.bytesOf("slow")).isGreaterThan(counts.bytesOf("fast"));
      assertThat(counts.bytesOf("fast")).isPositive();
      assertThat(counts.failures()).isZero();
      assertThat(counts.refusals()).isZero();
    }
  }
}
