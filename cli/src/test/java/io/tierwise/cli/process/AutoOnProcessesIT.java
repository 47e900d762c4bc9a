package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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
  private static final byte[] DATA = new byte[BLOCKS * BLOCK_BYTES];

  @BeforeAll
  static void start() throws IOException {
    hdfs = new HdfsProcesses(folder);
    hdfs.startNameNode(
        Map.of(
            "dfs.namenode.plugins",
            "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin",
            "dfs.net.topology.impl",
            "io.tierwise.hadoop.hdfs.topology.TierwiseTopology",
            "tierwise.namenode.access.strategy",
            "auto"),
        TIERS);
    for (int node = 0; node < NODES; node++) {
      hdfs.startDataNode("datanode" + node, Map.of(), TIERS);
    }
    new Random(1).nextBytes(DATA);
    try (FileSystem fs = client("")) {
      write(fs, FILE, DATA);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static void write(FileSystem fs, Path file, byte[] data) throws IOException {
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) NODES, BLOCK_BYTES)) {
      out.write(data);
    }
  }

  /**
   * @param access nothing for HDFS's own client
   */
  private static FileSystem client(String access) throws IOException {
    Configuration conf = new Configuration();
    if (!access.isEmpty()) {
      conf.set("fs.hdfs.impl", "io.tierwise.hadoop.hdfs.client.TierwiseFileSystem");
      conf.set("tierwise.access.strategy", access);
    }
    return FileSystem.newInstance(hdfs.uri(), conf);
  }

  private static JsonNode topology() throws IOException {
    String query = "/jmx?qry=Hadoop:service=NameNode,name=TierwiseTopology";
    return new ObjectMapper()
        .readTree(hdfs.get(HdfsProcesses.NAME_NODE, query))
        .path("beans")
        .path(0);
  }

  private static void nothingFailed() throws IOException {
    assertThat(topology().path("OrderFailures").asLong(-1)).isZero();
    assertThat(hdfs.logOf(HdfsProcesses.NAME_NODE)).doesNotContain("strategy failed");
  }

  /** Each of its blocks is asked for when it is read: the later ones of another process. */
  @Test
  void readsGoOnOverTheDeathOfTheNameNodeAndItsSuccessorOrders() throws IOException {
    try (FileSystem ours = client("auto");
        FileSystem stock = client("")) {
      List<FSDataInputStream> streams = new ArrayList<>();
      for (int reader = 0; reader < 6; reader++) {
        streams.add((reader % 2 == 0 ? ours : stock).open(FILE));
      }
      byte[] block = new byte[BLOCK_BYTES];
      for (FSDataInputStream in : streams) {
        in.readFully(block);
        assertThat(block).isEqualTo(Arrays.copyOf(DATA, BLOCK_BYTES));
      }
      hdfs.killNameNode();
      hdfs.startNameNodeAgain();
      for (FSDataInputStream in : streams) {
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(DATA, BLOCK_BYTES, DATA.length));
        in.close();
      }
    }
    assertThat(topology().path("OrderedBlocks").asLong()).isPositive();
    nothingFailed();
  }

  @Test
  void readersThatStopHalfWayAndClientsWithoutAPlugInLeaveReadsSpread() throws IOException {
    Set<String> nodes = new TreeSet<>();
    try (FileSystem stock = client("")) {
      for (int reader = 0; reader < 60; reader++) {
        try (FSDataInputStream in = stock.open(FILE)) {
          assertThat(in.readNBytes(100)).isEqualTo(Arrays.copyOf(DATA, 100));
          nodes.add(((HdfsDataInputStream) in).getCurrentDatanode().getDatanodeUuid());
        }
      }
      assertThat(nodes).hasSize(NODES);
      try (FSDataInputStream in = stock.open(FILE)) {
        assertThat(in.readAllBytes()).isEqualTo(DATA);
      }
    }
    nothingFailed();
  }
}
