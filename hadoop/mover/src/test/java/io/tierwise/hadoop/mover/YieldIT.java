package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moves beside many readers of one node, on HDFS's defaults. All moves are inside nodes. */
class YieldIT {
  private static final int READERS = 160;
  private static final int BLOCKS = 12;
  private static final int READ_BLOCK_BYTES = 16 << 20;
  private static final long NODE_BYTES_PER_SECOND = 2L * LiveCluster.BLOCK_BYTES;

  private static LiveCluster cluster;
  private static String busy;

  private final List<FSDataInputStream> readers = new ArrayList<>();
  private Path file;

  @BeforeAll
  static void start() throws IOException {
    cluster = LiveCluster.ofMixedNodes(LiveCluster.withPlugin(), "/r1", "/r2", "/r3");
    busy = cluster.mini().getDataNodes().get(0).getDatanodeUuid();
    InetSocketAddress[] there = {cluster.mini().getDataNodes().get(0).getXferAddress()};
    DFSTestUtil.createFile(
        cluster.fs(),
        new Path("/read"),
        false,
        4096,
        READ_BLOCK_BYTES,
        READ_BLOCK_BYTES,
        (short) 1,
        0,
        true,
        there);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void clear() throws IOException {
    stopReading();
    cluster.fs().delete(new Path("/t"), true);
  }

  /** Readers that are in the middle of a block, and take their time. */
  private void startReading() throws IOException {
    for (int i = 0; i < READERS; i++) {
      FSDataInputStream reader = cluster.fs().open(new Path("/read"));
      readers.add(reader);
      assertThat(reader.read()).isNotNegative();
    }
    LiveCluster.await("the node tells of its readers", () -> transfersOfBusy() > READERS / 2);
  }

  private void stopReading() throws IOException {
    for (FSDataInputStream reader : readers) {
      reader.close();
    }
    readers.clear();
    LiveCluster.await("the node tells that they are gone", () -> transfersOfBusy() < READERS / 8);
  }

  private static int transfersOfBusy() throws IOException {
    return Arrays.stream(cluster.fs().getDataNodeStats())
        .filter(node -> node.getDatanodeUuid().equals(busy))
        .findFirst()
        .orElseThrow()
        .getXceiverCount();
  }

  private CompletableFuture<MoverReport> move(int yieldAbove) throws IOException {
    file = cluster.write("/t/file", BLOCKS, 3);
    MoveOrder order = cluster.order("layout:3 x ssd", "/t");
    startReading();
    MoverSettings slow = LiveCluster.quick().atRates(NODE_BYTES_PER_SECOND, 1L << 40);
    MoverSettings settings = slow.with(slow.limits().yieldingAbove(yieldAbove));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return cluster.move(settings, order);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Blocks with a replica on an SSD of the busy node, or of all others. */
  private int moved(boolean onBusy) throws IOException {
    int count = 0;
    for (LocatedBlock block : cluster.blocks(file)) {
      for (int i = 0; i < block.getLocations().length; i++) {
        boolean there = block.getLocations()[i].getDatanodeUuid().equals(busy);
        count += there == onBusy && block.getStorageTypes()[i] == StorageType.SSD ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void movesOfANodeWithManyReadersWaitAndGoOnAfterwards() throws Exception {
    CompletableFuture<MoverReport> run = move(16);

    LiveCluster.await("all moves of the other nodes", () -> moved(false) == 2 * BLOCKS);
    assertThat(moved(true)).as("at a tenth of the others' rate").isLessThan(BLOCKS);
    stopReading();
    MoverReport report = run.get(2, TimeUnit.MINUTES);

    assertThat(report.left()).isEmpty();
    assertThat(moved(true)).isEqualTo(BLOCKS);
    assertThat(report.heeded().yielded().nodes()).isEqualTo(1);
    assertThat(report.heeded().yielded().seconds()).isGreaterThan(3);
    assertThat(report.lines(false)).anyMatch(line -> line.startsWith("held back for what else"));
    cluster.assertWhole(file, BLOCKS);
  }

  @Tag("long")
  @Test
  void withoutYieldingTheyDoNotWait() throws Exception {
    CompletableFuture<MoverReport> run = move(0);

    LiveCluster.await("all moves of the other nodes", () -> moved(false) == 2 * BLOCKS);
    assertThat(moved(true)).isGreaterThan(BLOCKS / 2);
    assertThat(run.get(2, TimeUnit.MINUTES).heeded().yielded().nodes()).isZero();
  }
}
