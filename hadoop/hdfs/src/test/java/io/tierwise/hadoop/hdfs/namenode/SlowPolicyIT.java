package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.ClassTimes;
import io.tierwise.hadoop.hdfs.DecisionTimes;
import io.tierwise.hadoop.hdfs.SlowDecision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A policy that is slow inside a NameNode: it costs what is allowed, and a line tells of it. */
class SlowPolicyIT {
  private static final short REPLICAS = 3;

  /** More than the NameNode has handlers. */
  private static final int MANY = 12;

  private static final String CLASS = SlowPlacement.class.getName();

  private final ExecutorService writers = Executors.newCachedThreadPool();
  private final LogLines lines = new LogLines(DecisionTimes.class);
  private TieredCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS),
            "/east/r1",
            "/east/r1",
            "/east/r2",
            "/east/r2");
  }

  @AfterEach
  void stop() {
    SlowPlacement.gate = null;
    writers.shutdownNow();
    lines.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  private Path directory(int millis) throws IOException {
    return cluster.directory("/slow", SlowPlacement.NAME + ":millis=" + millis);
  }

  private Future<Path> write(Path file) {
    return writers.submit(() -> cluster.write(file, 1, REPLICAS));
  }

  private static void finish(List<Future<Path>> writes) throws Exception {
    for (Future<Path> write : writes) {
      write.get(1, TimeUnit.MINUTES);
    }
  }

  private long slow(String question) {
    PlacementCounters counters = cluster.counters();
    DecisionTimes times = question.equals("place") ? counters.placing() : counters.dropping();
    return times.slow().getOrDefault(CLASS, 0L);
  }

  @Test
  void threeDecisionsThatHangLeaveTheNameNodeToAllOthers()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path directory = directory(0);
    CountDownLatch opens = new CountDownLatch(1);
    SlowPlacement.gate = opens;
    List<Future<Path>> hanging = new ArrayList<>();
    ClassTimes times = cluster.counters().placing().of(SlowPlacement.class);
    while (times.mayDecide()) {
      assertThat(hanging).hasSizeLessThan(4);
      hanging.add(write(new Path(directory, "hangs-" + hanging.size())));
      long entered = hanging.size();
      TieredCluster.await("one more hangs", () -> SlowPlacement.waiting() == entered);
      SlowDecision.await();
    }
    List<Future<Path>> others = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      others.add(write(new Path(directory, "placed-" + i)));
    }
    for (Future<Path> other : others) {
      Path file = other.get(1, TimeUnit.MINUTES);
      assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
      cluster.assertWhole(file, 1);
    }
    assertThat(hanging).hasSize(3).noneMatch(Future::isDone);
    assertThat(cluster.counters().stockCount(StockReason.SLOW)).isEqualTo(MANY);
    opens.countDown();
    for (Future<Path> late : hanging) {
      assertThat(cluster.tiersOfBlocks(late.get(1, TimeUnit.MINUTES))).hasSize(1);
    }
    assertThat(slow("place")).isEqualTo(3);
    assertThat(lines.with(CLASS + " took "))
        .hasSize(1)
        .first()
        .asString()
        .contains("place a block");
  }

  /** Each choice holds HDFS's write lock for 700 ms; 30 of them would for 21 s. */
  @Test
  void theWriteLockIsHeldForSecondsOfAMinuteAndNoMore() throws IOException {
    Path directory = directory(0);
    SlowPlacement.gate = new CountDownLatch(0);
    Path[] files = new Path[30];
    for (int i = 0; i < files.length; i++) {
      files[i] = cluster.write(new Path(directory, "file-" + i), 1, REPLICAS);
    }
    cluster.setPolicy(directory, SlowPlacement.NAME + ":millis=700");
    cluster.replicate(REPLICAS - 1, files);
    assertThat(slow("drop")).isBetween(1L, 5L);
    assertThat(cluster.counters().stockCount(StockReason.SLOW))
        .isGreaterThanOrEqualTo(files.length - slow("drop"));
    // A slow machine may also have taken long to place one of the files.
    assertThat(lines.with(CLASS + " took "))
        .filteredOn(line -> line.contains(" to drop"))
        .hasSize(1);
    assertThat(lines.with(": stock HDFS chooses them for the rest of it")).hasSize(1);
    for (Path file : files) {
      cluster.assertWhole(file, 1);
    }
  }

  /** It sleeps 60 ms, fails at times, and its table belongs to no thread. */
  @Test
  void filesAreWholeThatAPolicyWithAStateOfItsOwnPlacedFromManyThreads() throws Exception {
    Path directory = directory(60);
    List<Future<Path>> writes = new ArrayList<>();
    for (int i = 0; i < 4 * MANY; i++) {
      writes.add(write(new Path(directory, "file-" + i)));
    }
    finish(writes);
    for (Future<Path> write : writes) {
      cluster.assertWhole(write.get(), 1);
    }
    assertThat(slow("place")).isPositive();
    assertThat(cluster.counters().stockCount(StockReason.ERROR)).isPositive();
    long decided =
        LongStream.of(
                cluster.counters().stockCount(StockReason.ERROR),
                cluster.counters().stockCount(StockReason.SLOW),
                cluster.counters().decisions().values().stream().mapToLong(Long::longValue).sum())
            .sum();
    assertThat(decided).isGreaterThanOrEqualTo(writes.size());
    assertThat(ExitUtil.terminateCalled()).isFalse();
    assertThat(lines.with("")).hasSizeBetween(1, 4);
  }
}
