package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads by {@code auto} of a NameNode and DataNodes that are processes, when the NameNode dies
 * among them, readers stop half-way, or clients carry no plug-in.
 */
@Tag("long")
class AutoOnProcessesIT {
  private static final Path FILE = new Path("/file");
  private static final Path LONE_FILE = new Path("/lone");
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 3;
  private static final int NODES = 3;
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}, class: {name: s, read-megabytes-per-second: 20}}
        - {name: slow, match: {storage-type: DISK}, class: {name: d, read-megabytes-per-second: 2}}
      """;

  @TempDir static java.nio.file.Path folder;
  private static HdfsProcesses hdfs;
  private static byte[] data;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new HdfsProcesses(folder);
    Map<String, String> keys = new HashMap<>(AutoProcesses.KEYS);
    // A NameNode that orders replicas does not hear how long the block is, and takes this.
    keys.put(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, String.valueOf(BLOCK_BYTES));
    hdfs.startNameNode(keys, TIERS);
    for (int node = 0; node < NODES; node++) {
      hdfs.startDataNode("datanode" + node, Map.of(), TIERS);
    }
    try (FileSystem fs = stock()) {
      data = AutoProcesses.write(fs, FILE, BLOCKS * BLOCK_BYTES, NODES, BLOCK_BYTES);
    }
  }

  /** It has the block size of the NameNode, as clients of a cluster have. */
  private static FileSystem stock() throws IOException {
    Configuration conf = new Configuration();
    FileSystem.setDefaultUri(conf, hdfs.uri());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    return FileSystem.newInstance(conf);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  /** Each of its blocks is asked for when it is read: the later ones of another process. */
  @Test
  void readsGoOnOverTheDeathOfTheNameNodeAndItsSuccessorOrders() throws IOException {
    try (FileSystem ours = AutoProcesses.client(hdfs, "auto");
        FileSystem stock = stock()) {
      List<FSDataInputStream> streams = new ArrayList<>();
      for (int reader = 0; reader < 6; reader++) {
        streams.add((reader % 2 == 0 ? ours : stock).open(FILE));
      }
      byte[] block = new byte[BLOCK_BYTES];
      for (FSDataInputStream in : streams) {
        in.readFully(block);
        assertThat(block).isEqualTo(Arrays.copyOf(data, BLOCK_BYTES));
      }
      hdfs.killNameNode();
      hdfs.startNameNodeAgain();
      for (FSDataInputStream in : streams) {
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(data, BLOCK_BYTES, data.length));
        in.close();
      }
    }
    assertThat(AutoProcesses.topology(hdfs).path("OrderedBlocks").asLong()).isPositive();
    try (FileSystem stock = stock()) {
      String busy = busy(stock);
      assertThat(begun(stock, FILE, 3 * NODES)).doesNotContain(busy);
    }
    AutoProcesses.assertNothingFailed(hdfs);
  }

  /** A NameNode forgets readers of whom it hears nothing when their blocks would be read. */
  @Test
  void readersThatStopHalfWayCountWhileTheirBlocksLast() throws Exception {
    // A disk gives 2 MB/s: what was begun on the busiest of them would be read by then.
    long drainSeconds = 45;
    TimeUnit.SECONDS.sleep(drainSeconds);
    try (FileSystem stock = stock()) {
      String busy = busy(stock);
      assertThat(begun(stock, FILE, 3 * NODES)).doesNotContain(busy);

      TimeUnit.SECONDS.sleep(drainSeconds);
      assertThat(begun(stock, FILE, 3 * NODES)).contains(busy);
      try (FSDataInputStream in = stock.open(FILE)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
    }
    AutoProcesses.assertNothingFailed(hdfs);
  }

  /**
   * Many begin a block that one node alone has; says which. An order at random would go on there.
   */
  private static String busy(FileSystem stock) throws IOException {
    AutoProcesses.write(stock, LONE_FILE, BLOCK_BYTES, 1, BLOCK_BYTES);
    return begun(stock, LONE_FILE, 10 * NODES).get(0);
  }

  /** So many read the begin of a file, one after the other, and stop; says which node served. */
  private static List<String> begun(FileSystem fs, Path file, int readers) throws IOException {
    List<String> nodes = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      try (FSDataInputStream in = fs.open(file)) {
        in.readNBytes(100);
        nodes.add(((HdfsDataInputStream) in).getCurrentDatanode().getDatanodeUuid());
      }
    }
    return nodes;
  }
}
