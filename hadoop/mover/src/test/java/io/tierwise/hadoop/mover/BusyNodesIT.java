package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * DataNodes that are at their limits, and replicas that are not where the plan has them. Each
 * DataNode makes one move at a time; all SSDs are in the first rack.
 */
@Tag("long")
class BusyNodesIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1", "/r1", "/r1"};
  private static final int DISKS = 3;
  private static final String TWO_SSDS = "layout:2 x ssd + 1 x disk";
  private static final String AS_WANTED = "DISK SSD SSD";
  private static final int CONNECTIONS_MAX = 24;
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  /**
   * As the journal has it of a node that closes the connection: the second where it does so before
   * it has read the question.
   */
  private static final Predicate<String> UNREADABLE =
      Pattern.compile("EOFException|Connection reset").asPredicate();

  private static final int FOREIGN_BYTES = 8 << 20;

  private static LiveCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    conf.setInt(DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_KEY, 4 << 20);
    conf.setInt(DFSConfigKeys.DFS_DATANODE_MAX_RECEIVER_THREADS_KEY, CONNECTIONS_MAX);
    LiveCluster.haveHdfsHurry(conf);
    StorageType[][] types = new StorageType[RACKS.length][];
    for (int node = 0; node < types.length; node++) {
      types[node] = new StorageType[] {node < DISKS ? StorageType.DISK : StorageType.SSD};
    }
    cluster = LiveCluster.start(conf, RACKS, types, null);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void clear() throws IOException {
    cluster.fs().delete(new Path("/t"), true);
  }

  private static Path file(int blocks) throws IOException {
    Path file = cluster.write("/t/file", blocks, DISKS);
    cluster.setPolicy("/t", TWO_SSDS);
    return file;
  }

  private static Moved move() throws IOException {
    return move(List.of(), journal -> {});
  }

  /**
   * With nodes that become busy when the mover has its lock, whose file stands on nodes as well.
   */
  private static Moved move(List<DataNode> busy, Stay stay) throws IOException {
    return Moved.run(
        cluster,
        LiveCluster.quick().withMovesPerNode(8),
        cluster.order("", "/t"),
        journal -> occupy(busy, stay, journal));
  }

  /** The time for which nodes stay busy. */
  private interface Stay {
    void await(java.nio.file.Path journal) throws IOException;
  }

  private static void occupy(List<DataNode> nodes, Stay stay, java.nio.file.Path journal)
      throws IOException {
    List<Socket> idle = new ArrayList<>();
    for (DataNode node : nodes) {
      idle.addAll(fill(node));
    }
    CompletableFuture<Void> unused =
        CompletableFuture.runAsync(
            () -> {
              try {
                stay.await(journal);
              } catch (IOException e) {
                throw new AssertionError(e);
              } finally {
                idle.forEach(BusyNodesIT::close);
              }
            });
  }

  /** However late the mover asks them first. */
  private static void untilAReplicaCannotBeRead(java.nio.file.Path journal) throws IOException {
    LiveCluster.await(
        "a replica that cannot be read",
        () -> {
          try (Stream<java.nio.file.Path> runs = Files.list(journal)) {
            return UNREADABLE.test(Files.readString(runs.findFirst().orElseThrow()));
          }
        });
  }

  private static void assertDone(Moved moved, Path file, int blocks) throws IOException {
    assertThat(moved.report().left()).isEmpty();
    assertThat(cluster.typesOf(file)).hasSize(blocks).containsOnly(AS_WANTED);
    cluster.assertWhole(file, blocks);
  }

  /**
   * Each node refuses all but one of the moves that are begun at once. A copy in the first rack
   * gives up the rack that its move leaves, which the layout does not need.
   */
  @Test
  void aNodeThatMakesAsManyMovesAsItMayIsAskedAgainAndTheNamedReplicasGo() throws IOException {
    int blocks = 8;
    Path file = file(blocks);

    Moved moved = move();

    assertDone(moved, file, blocks);
    assertThat(moved.failures()).isEmpty();
    assertThat(moved.namedTwice()).isEmpty();
  }

  @Test
  void aForeignMoverThatTakesTheQuotaIsWaitedFor() throws Exception {
    Path foreign = new Path("/foreign");
    try (FSDataOutputStream out =
        cluster.fs().create(foreign, true, 4096, (short) DISKS, FOREIGN_BYTES)) {
      out.write(new byte[FOREIGN_BYTES]);
    }
    LiveCluster.await(
        "the foreign replicas",
        () -> cluster.blocks(foreign).get(0).getLocations().length == DISKS);
    int blocks = 3;
    Path file = file(blocks);
    LocatedBlock block = cluster.blocks(foreign).get(0);
    int target = cluster.mini().getDataNodes().get(DISKS).getXferPort();
    CompletableFuture<Status> other =
        CompletableFuture.supplyAsync(
            () -> ForeignMoves.move(block, block.getLocations()[0], target, StorageType.SSD));

    Moved moved = move();

    assertDone(moved, file, blocks);
    assertThat(moved.failures()).isEmpty();
    assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(Status.SUCCESS);
    cluster.fs().delete(foreign, false);
  }

  @Test
  void nodesThatServeAsManyConnectionsAsTheyMayAreAskedAgain() throws Exception {
    int blocks = 2;
    for (boolean targets : new boolean[] {true, false}) {
      Path file = file(blocks);
      List<DataNode> nodes = cluster.mini().getDataNodes();

      Moved moved =
          targets
              ? move(
                  nodes.subList(DISKS, nodes.size()), journal -> LockSupport.parkNanos(BUSY_NANOS))
              : move(nodes.subList(0, DISKS), BusyNodesIT::untilAReplicaCannotBeRead);

      assertDone(moved, file, blocks);
      if (targets) {
        assertThat(moved.failures()).isEmpty();
      } else {
        assertThat(moved.failures()).isNotEmpty().allMatch(UNREADABLE);
      }
      clear();
    }
  }

  private static List<Socket> fill(DataNode node) throws IOException {
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i <= CONNECTIONS_MAX; i++) {
      idle.add(new Socket(InetAddress.getLoopbackAddress(), node.getXferPort()));
    }
    LiveCluster.await("a node at its limit", () -> node.getXceiverCount() > CONNECTIONS_MAX);
    return idle;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReplicaWhoseFileIsGoneIsLeftToHdfsAndItsBlockToTheNextRun() throws IOException {
    int blocks = 6;
    Path file = file(blocks);
    for (LocatedBlock block : cluster.blocks(file)) {
      cluster.mini().getMaterializedReplica(0, block.getBlock()).deleteData();
    }

    Moved moved = move();
    assertThat(moved.failures()).allMatch(UNREADABLE);
    assertThat(moved.report().left())
        .extracting(MoverReport.Left::reason)
        .isSubsetOf("HDFS has yet to copy a missing replica");
    LiveCluster.await(
        "the missing replicas",
        () -> cluster.blocks(file).stream().allMatch(b -> b.getLocations().length == DISKS));

    assertDone(move(), file, blocks);
  }
}
