package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.balancer.Balancer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moves of blocks that HDFS copies meanwhile, and that its Balancer moves meanwhile. */
@Tag("long")
class BesideOthersIT {
  private static final int BLOCKS = 24;
  private static final long ROOM = 2L * BLOCKS * LiveCluster.BLOCK_BYTES;
  private static final String ONE_SSD = "layout:1 x ssd + 2 x disk";
  private static final String AS_WANTED = "DISK DISK SSD";

  private LiveCluster cluster;

  @AfterEach
  void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Slow enough that others come between. */
  private static MoverSettings slow() {
    return LiveCluster.quick()
        .atRates(2L * LiveCluster.BLOCK_BYTES, 4L * LiveCluster.BLOCK_BYTES)
        .withMovesPerNode(2);
  }

  private MoverReport finish() throws IOException {
    return cluster.move(LiveCluster.quick(), cluster.order("", "/t"));
  }

  private void assertAsWanted(Path file) throws IOException {
    LiveCluster.await(
        "all replicas",
        () -> cluster.blocks(file).stream().allMatch(block -> block.getLocations().length == 3));
    assertThat(finish().left()).isEmpty();
    assertThat(cluster.typesOf(file)).hasSize(BLOCKS).containsOnly(AS_WANTED);
    cluster.assertWhole(file, BLOCKS);
  }

  /** A node that holds replicas of many blocks dies, and HDFS copies those that it had at once. */
  @Test
  void blocksThatHdfsCopiesDuringTheirMoveEndInTheirLayout() throws Exception {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    StorageType[][] types = new StorageType[7][];
    for (int node = 0; node < types.length; node++) {
      types[node] = new StorageType[] {node < 4 ? StorageType.DISK : StorageType.SSD};
    }
    String[] racks = {"/r1", "/r2", "/r3", "/r1", "/r1", "/r2", "/r3"};
    cluster = LiveCluster.start(conf, racks, types, null);
    Path file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", ONE_SSD);
    String lost = cluster.mini().getDataNodes().get(0).getDatanodeUuid();
    MoverReport report;
    // One replica may be lost, and none more.
    try (Watcher unused = new Watcher(cluster, List.of(file), BLOCKS, 2)) {
      try (Mover mover = Mover.open(cluster.cluster(), slow())) {
        report = mover.run(cluster.order("", "/t"), LiveCluster.at(4, this::loseTheFirstNode));
      }
    }

    assertThat(report.moved().replicas()).isGreaterThan(4);
    assertAsWanted(file);
    assertThat(cluster.blocks(file))
        .allMatch(
            block ->
                Arrays.stream(block.getLocations())
                    .noneMatch(node -> node.getDatanodeUuid().equals(lost)));
  }

  private void loseTheFirstNode() {
    try {
      assertThat(cluster.lose(0)).isNotNull();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The class behind {@code hdfs balancer}; Hadoop shows it to its own package only. */
  private static Tool balancer() throws ReflectiveOperationException {
    Constructor<?> constructor =
        Class.forName(Balancer.class.getName() + "$Cli").getDeclaredConstructor();
    constructor.setAccessible(true);
    return (Tool) constructor.newInstance();
  }

  private int balance() {
    try {
      Configuration conf = new Configuration(cluster.fs().getConf());
      return ToolRunner.run(conf, balancer(), new String[] {"-threshold", "5"});
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aBalancerThatRunsBesideIsNoHindrance() throws Exception {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    // It leaves blocks alone that are smaller than those of any test, and ends a minute late.
    conf.setLong(DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY, 1);
    // The locks of both are files, for whose blocks there is room.
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, LiveCluster.BLOCK_BYTES);
    conf.setInt(DFSConfigKeys.DFS_BALANCER_MAX_NO_MOVE_INTERVAL_KEY, 10_000);
    String[] racks = {"/r1", "/r2", "/r3"};
    StorageType[][] types = new StorageType[racks.length][];
    long[][] rooms = new long[racks.length][];
    Arrays.fill(types, LiveCluster.BOTH);
    Arrays.fill(rooms, new long[] {ROOM, ROOM});
    cluster = LiveCluster.start(conf, racks, types, rooms);
    Path file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", ONE_SSD);
    String empty = cluster.addNode("/r1", ROOM, ROOM);

    MoverReport report;
    int code;
    try (Watcher unused = new Watcher(cluster, List.of(file), BLOCKS, 3);
        Mover mover = Mover.open(cluster.cluster(), slow())) {
      CompletableFuture<Integer> balanced = CompletableFuture.supplyAsync(this::balance);
      report = mover.run(cluster.order("", "/t"), Listener.Step.SILENT);
      code = balanced.get(6, TimeUnit.MINUTES);
    }

    // It is done, or finds nothing more that it may move; any other end is an error.
    assertThat(code).isIn(0, -2, -3);
    assertThat(report.moved().replicas()).isPositive();
    assertThat(report.left()).noneMatch(MoverReport.Left::fault);
    assertThat(cluster.blocks(file))
        .as("the Balancer moved something")
        .anyMatch(
            block ->
                Arrays.stream(block.getLocations())
                    .anyMatch(node -> node.getDatanodeUuid().equals(empty)));
    assertAsWanted(file);
  }
}
