package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads go on, and are spread, whatever {@code auto} is told wrongly or not at all. */
class ReadFaultsIT {
  private static final int NODES = AutoHdfs.NODES;
  private static final String FILE = "/file";
  private static final int MINUTE_MILLIS = 60_000;
  private static final long BLOCK_DRAINS_NANOS = 500_000_000L;

  private static AutoHdfs auto;
  private static byte[] data;

  @BeforeAll
  static void start(@TempDir File folder) throws IOException {
    auto = AutoHdfs.start(folder);
    data = auto.hdfs().write(FILE, 3 * MiniHdfs.BLOCK_BYTES, NODES);
  }

  @AfterAll
  static void stop() {
    auto.close();
  }

  @BeforeEach
  void silence() {
    auto.silenceNodes();
  }

  @AfterEach
  void letTell() {
    auto.letNodesTell();
    assertThat(auto.topology().failureCount()).isZero();
  }

  /** Of a client with our file system, and of one without. */
  private static void readByBoth() throws IOException {
    try (FileSystem ours = auto.hdfs().client(ClientKeys.STRATEGY, "auto")) {
      for (FileSystem client : List.of(ours, auto.hdfs().stock())) {
        try (FSDataInputStream in = client.open(new Path(FILE))) {
          assertThat(in.readAllBytes()).isEqualTo(data);
        }
      }
    }
  }

  /** A node that falls silent is in trouble rather than idle: its last report stays. */
  @Test
  void aNodeWhoseLastHeartbeatIsOldKeepsWhatItSaid() throws IOException {
    DatanodeDescriptor silent = auto.descriptor(auto.hdfs().cluster().getDataNodes().get(0));
    silent.setXceiverCount(200);
    DFSTestUtil.resetLastUpdatesWithOffset(silent, -MINUTE_MILLIS);
    for (int look = 0; look < 20; look++) {
      assertThat(auto.firstForOutsider(FILE)).isNotEqualTo(silent.getHostName());
    }
    readByBoth();
    auto.letNodesTell();
    auto.awaitFirst(FILE, silent.getHostName());
  }

  /** From its second answer on each is sent where the others are not. */
  @Test
  void aNameNodeThatRestartsIsGoodAgainAfterOneAnswer() throws IOException {
    for (int reader = 0; reader < 100; reader++) {
      auto.answer(auto.firstBlock(FILE), reader);
    }
    auto.restartNameNode(FILE);
    assertThat(auto.topology().countedReads()).isZero();
    auto.silenceNodes();
    LocatedBlocks block = auto.firstBlock(FILE);
    long start = System.nanoTime();
    for (int round = 0; round < 4; round++) {
      Set<String> nodes = new TreeSet<>();
      for (int reader = 0; reader < NODES; reader++) {
        nodes.add(auto.answer(block, NODES * round + reader));
      }
      // Counts drain while a machine stands still for as long as a block takes.
      if (System.nanoTime() - start < BLOCK_DRAINS_NANOS) {
        assertThat(nodes).as("answers of round %s", round).hasSize(NODES);
      }
    }
    readByBoth();
  }

  /** The first heartbeats tell again what it forgot: those transfers nobody explains. */
  @Test
  void aNameNodeThatForgotItsReadersHearsOfThemByHeartbeats() throws IOException {
    TierwiseTopology forgetful = auto.freshTopology();
    DatanodeInfoWithStorage[] replicas = auto.blocks(FILE).get(0).getLocations();
    for (DatanodeInfoWithStorage replica : replicas) {
      replica.setXceiverCount(0);
    }
    DatanodeInfoWithStorage busy = replicas[0];
    busy.setXceiverCount(12);
    // Half of them, as three readers to a counted answer: two answers to each of the others.
    for (int reader = 0; reader < 4; reader++) {
      assertThat(firstOf(forgetful, reader, replicas)).isNotEqualTo(busy.getHostName());
    }
    assertThat(forgetful.failureCount()).isZero();
  }

  private static String firstOf(
      TierwiseTopology topology, int outsider, DatanodeInfoWithStorage[] locations) {
    DatanodeInfoWithStorage[] replicas = locations.clone();
    NodeBase reader = new NodeBase("192.0.2." + outsider, "/elsewhere");
    AutoHdfs.asCall(
        outsider,
        () ->
            topology.sortByDistanceUsingNetworkLocation(
                reader, replicas, replicas.length, Collections::shuffle));
    assertThat(replicas).containsExactlyInAnyOrder(locations);
    return replicas[0].getHostName();
  }

  /** Links carry 10 MB/s in truth. */
  @Test
  void linkRatesThatAreUnknownOrWrongByTenStillSpreadReaders() throws IOException {
    DatanodeInfoWithStorage[] replicas = auto.blocks(FILE).get(0).getLocations();
    for (DatanodeInfoWithStorage replica : replicas) {
      replica.setXceiverCount(0);
    }
    int readers = 30;
    for (String told :
        List.of("auto", "auto:link-megabytes-per-second=1", "auto:link-megabytes-per-second=100")) {
      TierwiseTopology topology = auto.freshTopology(TierwiseTopology.STRATEGY, told);
      Map<String, Integer> sent = new TreeMap<>();
      for (int reader = 0; reader < readers; reader++) {
        sent.merge(firstOf(topology, reader, replicas), 1, Integer::sum);
      }
      assertThat(sent).as(told).hasSize(NODES);
      assertThat(sent.values()).as(told).allMatch(count -> count >= readers / NODES / 2);
      assertThat(topology.countedReads()).isEqualTo(readers);
      assertThat(topology.failureCount()).isZero();
    }
  }

  @Test
  void clientsWithoutOurFileSystemAreCountedAndSpread() throws IOException {
    // So many that a node which other tests have left as busy as can be has room, too.
    int readers = 24;
    double before = auto.topology().countedReads();
    Set<String> nodes = new TreeSet<>();
    List<FSDataInputStream> streams = new ArrayList<>();
    byte[] first = new byte[MiniHdfs.BLOCK_BYTES];
    for (int reader = 0; reader < readers; reader++) {
      streams.add(auto.hdfs().stock().open(new Path(FILE)));
    }
    // Three blocks in one answer: the first as one read, the others as a quarter.
    assertThat(auto.topology().countedReads() - before)
        .isEqualTo(readers * (1 + 2 * CallAnswers.LATER_SHARE));
    for (FSDataInputStream in : streams) {
      in.readFully(first);
      assertThat(first).isEqualTo(Arrays.copyOf(data, first.length));
      nodes.add(((HdfsDataInputStream) in).getCurrentDatanode().getHostName());
      in.close();
    }
    assertThat(nodes).hasSize(NODES);
  }

  /** Each counts as a whole block, until that would have been read. */
  @Test
  void readersThatStopHalfWayAreForgottenInSeconds() throws IOException {
    auto.hdfs().write("/narrow", MiniHdfs.BLOCK_BYTES, 1);
    String busy = auto.blocks("/narrow").get(0).getLocations()[0].getHostName();
    auto.silenceNodes();
    LocatedBlocks idle = auto.blocks(FILE);
    try (FileSystem ours = auto.hdfs().client(ClientKeys.STRATEGY, "auto")) {
      long start = System.nanoTime();
      for (int reader = 0; reader < 3; reader++) {
        try (FSDataInputStream in = ours.open(new Path("/narrow"))) {
          assertThat(in.read(new byte[100])).isPositive();
        }
      }
      Set<String> firsts = new TreeSet<>();
      for (int look = 0; look < 20; look++) {
        firsts.add(auto.first(idle, 1));
      }
      // Counts drain while a machine stands still for as long as the blocks take.
      if (System.nanoTime() - start < 2 * BLOCK_DRAINS_NANOS) {
        assertThat(firsts).as("it is taken for busy").doesNotContain(busy);
      }
    }
    auto.awaitFirst(FILE, busy);
    readByBoth();
  }

  /** Small files: the NameNode lists the only block once more as the last one. */
  @Test
  void theLastBlockOfAFileOfOneIsToldTheOrderOfTheFirst() throws IOException {
    auto.hdfs().write("/one", MiniHdfs.BLOCK_BYTES, NODES);
    double before = auto.topology().countedReads();
    for (int open = 0; open < 20; open++) {
      LocatedBlocks blocks =
          auto.hdfs().stock().getClient().getLocatedBlocks("/one", 0, 10L * MiniHdfs.BLOCK_BYTES);
      LocatedBlock last = blocks.getLastLocatedBlock();
      assertThat(last.getLocations()).containsExactly(blocks.get(0).getLocations());
    }
    assertThat(auto.topology().countedReads() - before).isEqualTo(20);
  }

  /** One that everybody avoids is not forgotten: what drains, or what it tells, brings it back. */
  @Test
  void aReplicaThatAllAvoidAndThatRecoversIsReadAgain() throws IOException {
    DataNode node = auto.hdfs().cluster().getDataNodes().get(1);
    DatanodeDescriptor avoided = auto.descriptor(node);
    avoided.setXceiverCount(1_000);
    LocatedBlocks busy = auto.firstBlock(FILE);
    avoided.setXceiverCount(0);
    LocatedBlocks idle = auto.firstBlock(FILE);
    long start = System.nanoTime();
    // So few that the other nodes have room for more: other tests count on it.
    for (int reader = 0; reader < 6; reader++) {
      assertThat(auto.answer(busy, reader)).isNotEqualTo(avoided.getHostName());
    }
    String next = auto.answer(idle, 1);
    // Counts drain while a machine stands still for as long as a block takes.
    if (System.nanoTime() - start < BLOCK_DRAINS_NANOS) {
      assertThat(next).as("the only one that is idle now").isEqualTo(avoided.getHostName());
    }
  }
}
