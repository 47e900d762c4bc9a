package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementRequest;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that fails inside a NameNode: stock HDFS places its blocks, and all else goes on. */
class FailingPolicyIT {
  private static final int BLOCKS = 2;
  private static final short REPLICAS = 3;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS),
            "/east/r1",
            "/east/r1",
            "/east/r2",
            "/east/r2");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void forgetPlants() {
    cluster.host().useRandom(SplittableRandom::new);
    cluster.host().listen(null);
  }

  /** A policy of another jar throws anything, without a word where its language does not ask. */
  static Stream<Throwable> plantedFailures() {
    return Stream.of(
        new IllegalStateException("planted"),
        new NoSuchMethodError("planted"),
        new StackOverflowError("planted"),
        new Error("planted"),
        new IOException("planted"));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RandomGenerator fail(Throwable planted) throws E {
    throw (E) planted;
  }

  @ParameterizedTest
  @MethodSource("plantedFailures")
  void stockPlacesItsBlocksAndTheDataIsWhole(Throwable planted) throws IOException {
    long before = cluster.counters().stockCount(StockReason.ERROR);
    cluster.host().useRandom(() -> fail(planted));
    String name = "/throws-" + planted.getClass().getSimpleName();
    Path file = new Path(cluster.directory(name, "hybrid"), "file");
    cluster.write(file, BLOCKS, REPLICAS);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
    cluster.assertWhole(file, BLOCKS);
    assertThat(cluster.counters().stockCount(StockReason.ERROR)).isEqualTo(before + BLOCKS);
  }

  /** HDFS's thread that adds replicas ends the NameNode on an error that it does not know. */
  @Test
  void replicasAreAddedAllTheSameAndTheNameNodeStaysUp() throws Exception {
    Path file = new Path(cluster.directory("/adds", "hybrid"), "file");
    cluster.write(file, 1, 1);
    cluster.host().useRandom(() -> fail(new StackOverflowError("planted")));
    cluster.files().setReplication(file, REPLICAS);
    DFSTestUtil.waitReplication(cluster.files(), file, REPLICAS);
    assertThat(ExitUtil.terminateCalled()).isFalse();
    cluster.assertWhole(file, 1);
  }

  /** Fails where a policy drops replicas, under HDFS's write lock. */
  private record FailingToDrop(Throwable planted) implements PlacementHost.DecisionListener {
    @Override
    public void decided(
        ManagedFile file, PlacementRequest request, ClusterView view, Place decision) {}

    @Override
    public void thinnedOut(
        ManagedFile file, int[] volumes, int wanted, ClusterView view, int[] chosen) {
      fail(planted);
    }
  }

  @Test
  void stockDropsTheReplicasThatAreTooMany() throws Exception {
    assertThatStockDrops(new StackOverflowError("planted"));
  }

  /** Long: make test plants each of them where blocks are placed. */
  @Tag("long")
  @ParameterizedTest
  @MethodSource("plantedFailures")
  void stockDropsThemWhateverIsThrown(Throwable planted) throws Exception {
    assertThatStockDrops(planted);
  }

  private static void assertThatStockDrops(Throwable planted) throws Exception {
    String name = "/drops-" + planted.getClass().getSimpleName();
    Path file = new Path(cluster.directory(name, "hybrid"), "file");
    cluster.write(file, 1, REPLICAS);
    DFSTestUtil.waitReplication(cluster.files(), file, REPLICAS);
    long before = cluster.counters().stockCount(StockReason.ERROR);
    cluster.host().listen(new FailingToDrop(planted));
    cluster.files().setReplication(file, (short) (REPLICAS - 1));
    DFSTestUtil.waitReplication(cluster.files(), file, (short) (REPLICAS - 1));
    assertThat(cluster.counters().stockCount(StockReason.ERROR)).isGreaterThan(before);
    assertThat(ExitUtil.terminateCalled()).isFalse();
    cluster.assertWhole(file, 1);
  }
}
