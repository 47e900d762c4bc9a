package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reads that a real NameNode with {@code auto} counts, and the orders that follow. */
class ExpectedCompletionIT {
  private static final int BLOCKS = 6;
  private static final int FILE_BYTES = BLOCKS * MiniHdfs.BLOCK_BYTES;
  private static final Path FILE = new Path("/file");
  private static final int NODES = AutoHdfs.NODES;

  private static AutoHdfs auto;
  private static MiniHdfs hdfs;
  private static byte[] data;

  @BeforeAll
  static void start(@TempDir File folder) throws IOException {
    auto =
        AutoHdfs.start(folder, DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, Opens.class.getName());
    hdfs = auto.hdfs();
    data = hdfs.write(FILE.toString(), FILE_BYTES, NODES);
  }

  @AfterAll
  static void stop() {
    auto.close();
  }

  private static TierwiseTopology topology() {
    return auto.topology();
  }

  /** Counts the calls that ask for locations: the NameNode audits each as an open. */
  public static final class Opens implements AuditLogger {
    private static final LongAdder COUNT = new LongAdder();

    @Override
    public void initialize(Configuration conf) {
      // It has no settings.
    }

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String user,
        InetAddress address,
        String command,
        String from,
        String to,
        FileStatus status) {
      if (command.equals("open")) {
        COUNT.increment();
      }
    }
  }

  private static long locationCalls() {
    return Opens.COUNT.sum();
  }

  private static String nodeOf(FSDataInputStream in) {
    return ((HdfsDataInputStream) in).getCurrentDatanode().getHostName();
  }

  /** Reads one block of each open stream in turn; says how many were read from each node. */
  private static Map<String, Integer> readBlock(List<FSDataInputStream> streams, int index)
      throws IOException {
    Map<String, Integer> blocks = new TreeMap<>();
    byte[] read = new byte[MiniHdfs.BLOCK_BYTES];
    byte[] written = new byte[MiniHdfs.BLOCK_BYTES];
    System.arraycopy(data, index * read.length, written, 0, read.length);
    for (FSDataInputStream in : streams) {
      in.readFully(read);
      assertThat(read).isEqualTo(written);
      blocks.merge(nodeOf(in), 1, Integer::sum);
    }
    return blocks;
  }

  /** Where reads are so slow that counts drain between them, equal nodes are drawn from. */
  @Test
  void ourClientAsksForEachBlockAndReadersAreSpreadAtEachMoment() throws IOException {
    int readers = 12;
    auto.silenceNodes();
    Set<String> all = new TreeSet<>();
    List<FSDataInputStream> streams = new ArrayList<>();
    try (FileSystem ours = hdfs.client(ClientKeys.STRATEGY, "auto")) {
      long before = locationCalls();
      for (int reader = 0; reader < readers; reader++) {
        streams.add(ours.open(FILE));
      }
      assertThat(locationCalls() - before).as("calls to open").isEqualTo(readers);
      for (int block = 0; block < BLOCKS; block++) {
        Map<String, Integer> read = readBlock(streams, block);
        assertThat(read).as("block %s", block).hasSizeGreaterThan(1);
        all.addAll(read.keySet());
        assertThat(locationCalls() - before)
            .as("calls after block %s", block)
            .isEqualTo((long) readers * (block + 1));
      }
      for (FSDataInputStream in : streams) {
        in.close();
      }
    } finally {
      auto.letNodesTell();
    }
    assertThat(all).hasSize(NODES);
  }

  @Test
  void aPrefetchThatTheUserSetIsKeptAndAStockClientAsksOncePerFile() throws IOException {
    String prefetch = HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY;
    assertThat(callsToRead(ClientKeys.STRATEGY, "auto")).isEqualTo(BLOCKS);
    String three = String.valueOf(3 * MiniHdfs.BLOCK_BYTES);
    assertThat(callsToRead(ClientKeys.STRATEGY, "auto", prefetch, three)).isEqualTo(2);
    assertThat(callsToRead(ClientKeys.STRATEGY, "dld")).isEqualTo(1);
    String stock = DistributedFileSystem.class.getName();
    assertThat(callsToRead("fs.hdfs.impl", stock)).isEqualTo(1);
    assertThat(callsToRead("fs.hdfs.impl", stock, prefetch, "1")).isEqualTo(BLOCKS);
  }

  private static long callsToRead(String... settings) throws IOException {
    Configuration conf = hdfs.clientConfiguration(settings);
    try (FileSystem client = FileSystem.newInstance(hdfs.uri(), conf)) {
      long before = locationCalls();
      try (FSDataInputStream in = client.open(FILE)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
      return locationCalls() - before;
    }
  }

  /** The file's last block comes with every answer, and nobody may be reading it. */
  @Test
  void onlyWhatWasAskedForIsCountedAndLaterBlocksAsAPart() throws IOException {
    double before = topology().countedReads();
    DFSClient client = hdfs.stock().getClient();
    assertThat(client.getLocatedBlocks(FILE.toString(), 0, 1).getLocatedBlocks()).hasSize(1);
    assertThat(topology().countedReads() - before).isEqualTo(1);
    client.getLocatedBlocks(FILE.toString(), 0);
    assertThat(topology().countedReads() - before)
        .isEqualTo(2 + (BLOCKS - 1) * CallAnswers.LATER_SHARE);
  }

  @Test
  void aThousandJobsThatAreSubmittedChangeNothing() throws IOException {
    long looks = topology().lookCount();
    double before = topology().countedReads();
    for (int look = 0; look < 1_000; look++) {
      assertThat(hdfs.stock().getFileBlockLocations(FILE, 0, FILE_BYTES)).hasSize(BLOCKS);
    }
    assertThat(topology().lookCount() - looks).isEqualTo(1_000);
    assertThat(topology().countedReads()).isEqualTo(before);
    hdfs.stock().getFileBlockLocations(FILE, 0, FILE_BYTES - 1);
    assertThat(topology().countedReads())
        .as("a look at a part cannot be told from a read")
        .isGreaterThan(before);
  }

  /** Paths that name a file otherwise. */
  @Test
  void filesOfASnapshotAndFilesByTheirIdAreReadAndCountedAsAnyOther() throws IOException {
    byte[] written = hdfs.write("/snapped/file", 2 * MiniHdfs.BLOCK_BYTES, NODES);
    Path folder = new Path("/snapped");
    hdfs.stock().allowSnapshot(folder);
    Path snapshot = hdfs.stock().createSnapshot(folder, "s");
    long id = hdfs.stock().getClient().getFileInfo("/snapped/file").getFileId();
    try (FileSystem ours = hdfs.client(ClientKeys.STRATEGY, "auto")) {
      for (Path path : List.of(new Path(snapshot, "file"), new Path("/.reserved/.inodes/" + id))) {
        double before = topology().countedReads();
        try (FSDataInputStream in = ours.open(path)) {
          assertThat(in.readAllBytes()).isEqualTo(written);
        }
        assertThat(topology().countedReads() - before).as("%s", path).isEqualTo(2);
      }
    }
  }

  /** A look is taken off devices and links again, not only off the sum of reads. */
  @Test
  void aNodeThatManyLookAtIsStillTakenForIdle() throws Exception {
    hdfs.write("/looked-at", MiniHdfs.BLOCK_BYTES, 1);
    hdfs.write("/read", MiniHdfs.BLOCK_BYTES, NODES);
    auto.silenceNodes();
    try {
      LocatedBlocks only = hdfs.stock().getClient().getLocatedBlocks("/looked-at", 0);
      String idle = only.get(0).getLocations()[0].getHostName();
      auto.awaitFirst("/read", idle);
      LocatedBlocks blocks = auto.blocks("/read");
      for (int look = 0; look < 100; look++) {
        hdfs.stock().getFileBlockLocations(new Path("/looked-at"), 0, MiniHdfs.BLOCK_BYTES);
      }
      Set<String> firsts = new TreeSet<>();
      for (int look = 0; look < 100; look++) {
        firsts.add(auto.first(blocks, 1));
      }
      assertThat(firsts).contains(idle);
    } finally {
      auto.letNodesTell();
    }
  }

  /**
   * Looks that cannot be told apart: a thousand counts of one block would drain for a quarter of an
   * hour, and hide that the node has nothing to do. Long: ReadFaultsIT has readers that stop half
   * way.
   */
  @Tag("long")
  @Test
  void aThousandAnswersThatNobodyReadsAreForgottenInSeconds() throws Exception {
    hdfs.write("/narrow", MiniHdfs.BLOCK_BYTES, 1);
    hdfs.write("/wide", MiniHdfs.BLOCK_BYTES, NODES);
    DFSClient client = hdfs.stock().getClient();
    String busy = client.getLocatedBlocks("/narrow", 0).get(0).getLocations()[0].getHostName();
    for (int look = 0; look < 1_000; look++) {
      client.getLocatedBlocks("/narrow", 0, 1);
    }
    for (int look = 0; look < 20; look++) {
      assertThat(auto.firstForOutsider("/wide"))
          .as("the node is taken for busy")
          .isNotEqualTo(busy);
    }
    auto.awaitFirst("/wide", busy);
  }

  /** The last heartbeat's count, as the NameNode keeps it. */
  @Test
  void nodesThatLieAreReadLastAtWorstAndNormallyOnceTheyTellTheTruth() throws Exception {
    hdfs.write("/lies", MiniHdfs.BLOCK_BYTES, NODES);
    auto.silenceNodes();
    DatanodeDescriptor liar = auto.descriptor(hdfs.cluster().getDataNodes().get(0));
    liar.setXceiverCount(Integer.MAX_VALUE);
    for (int look = 0; look < 20; look++) {
      assertThat(auto.firstForOutsider("/lies")).isNotEqualTo(liar.getHostName());
    }
    readAll("/lies");
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      auto.descriptor(node).setXceiverCount(Integer.MIN_VALUE);
    }
    readAll("/lies");
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      auto.descriptor(node).setXceiverCount(Integer.MAX_VALUE);
    }
    readAll("/lies");
    auto.letNodesTell();
    auto.awaitFirst("/lies", liar.getHostName());
    assertThat(topology().failureCount()).isZero();
  }

  private static void readAll(String path) throws IOException {
    for (String strategy : List.of("auto", "dld")) {
      try (FileSystem client = hdfs.client(ClientKeys.STRATEGY, strategy);
          FSDataInputStream in = client.open(new Path(path))) {
        assertThat(in.readAllBytes()).hasSize(MiniHdfs.BLOCK_BYTES);
      }
    }
  }

  /** Counts are lost; a new one spreads the readers of the next moment. */
  @Test
  void aNameNodeThatRestartsSpreadsReadersAtOnce() throws IOException {
    TierwiseTopology before = topology();
    auto.restartNameNode(FILE.toString());
    assertThat(topology()).isNotSameAs(before);
    assertThat(topology().countedReads()).isZero();
    auto.silenceNodes();
    List<FSDataInputStream> streams = new ArrayList<>();
    try (FileSystem ours = hdfs.client(ClientKeys.STRATEGY, "auto")) {
      for (int reader = 0; reader < 24; reader++) {
        streams.add(ours.open(FILE));
      }
      assertThat(readBlock(streams, 0)).hasSize(NODES);
      for (FSDataInputStream in : streams) {
        in.close();
      }
    } finally {
      auto.letNodesTell();
    }
    assertThat(topology().failureCount()).isZero();
  }
}
