package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Movers, NameNodes and their ends in the middle of moves. */
@ExtendWith(MixedCluster.class)
class MoverKilledIT {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final String ALL_DISK = "layout:3 x disk";
  private static final long HARD_LIMIT_MILLIS = TimeUnit.MINUTES.toMillis(20);
  private static final int FILES = 4;
  private static final int BLOCKS = 3;
  private static final int REPLICAS = FILES * BLOCKS * 3;

  private final LiveCluster cluster;

  MoverKilledIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(cluster.write("/t/file" + i, BLOCKS, 3));
    }
    return files;
  }

  private int count(String type, List<Path> files) throws IOException {
    int count = 0;
    for (Path file : files) {
      for (String types : cluster.typesOf(file)) {
        count += types.split(type, -1).length - 1;
      }
    }
    return count;
  }

  /** The lease that a killed mover held ends now, not in a minute. */
  private static void endLease(MiniDFSCluster mini) {
    mini.setLeasePeriod(1, HARD_LIMIT_MILLIS);
  }

  private static void leasesAsAlways(MiniDFSCluster mini) {
    mini.setLeasePeriod(HdfsConstants.LEASE_SOFTLIMIT_PERIOD, HARD_LIMIT_MILLIS);
  }

  private void killAtPoints(int points, long seed) throws Exception {
    Random random = new Random(seed);
    List<Path> files = files();
    MoverCluster known = cluster.cluster();
    try (Watcher unused = new Watcher(cluster, files, BLOCKS, 3)) {
      for (int point = 0; point < points; point++) {
        String type = point % 2 == 0 ? "SSD" : "DISK";
        String layout = point % 2 == 0 ? ALL_SSD : ALL_DISK;
        int at = random.nextInt(REPLICAS - 1);
        killAt(at, layout, known);
        int there = count(type, files);
        assertThat(there).as("point %s", point).isGreaterThanOrEqualTo(at);

        MoverReport rest = takeOver(known, cluster.order(layout, "/t"));

        assertThat(rest.left()).as("point %s, killed at %s", point, at).isEmpty();
        assertThat(rest.moved().replicas()).isLessThanOrEqualTo(REPLICAS - there);
        assertThat(count(type, files)).isEqualTo(REPLICAS);
      }
    }
  }

  /** A mover that is killed when so many replicas are in place; its lock outlives it. */
  private void killAt(int replicas, String layout, MoverCluster known) throws Exception {
    try (MoverProcess process = MoverProcess.start(cluster, layout, "/t")) {
      assertThat(process.await("open")).isTrue();
      assertThatThrownBy(() -> Mover.open(known, LiveCluster.quick()))
          .isInstanceOf(OperatorException.class)
          .hasMessageStartingWith("another mover runs on this cluster");
      for (int i = 0; i < replicas; i++) {
        assertThat(process.await("moved")).isTrue();
      }
      process.kill();
    }
    assertThatThrownBy(() -> Mover.open(known, LiveCluster.quick()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("or one was killed less than a minute ago");
  }

  private MoverReport takeOver(MoverCluster known, MoveOrder order) throws IOException {
    endLease(cluster.mini());
    try (Mover mover = Mover.open(known, LiveCluster.quick())) {
      leasesAsAlways(cluster.mini());
      return mover.run(order, Listener.Step.SILENT);
    } finally {
      leasesAsAlways(cluster.mini());
    }
  }

  @Test
  void aMoverThatIsKilledLeavesTheRestAndItsLockToTheNext() throws Exception {
    killAtPoints(2, 1);
  }

  @Test
  @Tag("long")
  void aMoverThatIsKilledAtManyPointsLosesNothing() throws Exception {
    killAtPoints(100, 2);
  }

  /** A fault of the NameNode while some replicas are in place and others are not. */
  private interface Blow {
    void strike(MiniDFSCluster mini) throws IOException;
  }

  private MoverReport moveAndStrike(String layout, double patienceSeconds, Blow blow)
      throws IOException {
    Configuration hasty = cluster.clientConf();
    hasty.setInt("ipc.client.connect.max.retries", 1);
    // Files were looked at long before the second move of a node may start.
    MoverSettings settings =
        LiveCluster.quick()
            .atRates(2 << 20, 1L << 40)
            .withMovesPerNode(1)
            .withPatience(patienceSeconds);
    AtomicReference<IOException> failure = new AtomicReference<>();
    try (Mover mover = Mover.open(MoverCluster.of(cluster.fs(), hasty), settings)) {
      MoverReport report =
          mover.run(
              cluster.order(layout, "/t"),
              LiveCluster.at(
                  8,
                  () -> {
                    try {
                      blow.strike(cluster.mini());
                    } catch (IOException e) {
                      failure.set(e);
                    }
                  }));
      assertThat(failure.get()).isNull();
      return report;
    }
  }

  @Test
  void aNameNodeThatStartsAgainIsWaitedFor() throws IOException {
    List<Path> files = files();

    MoverReport report = moveAndStrike(ALL_SSD, 60, mini -> mini.restartNameNode(0));

    assertThat(report.left()).isEmpty();
    assertThat(report.moved().replicas()).isEqualTo(REPLICAS);
    assertThat(count("SSD", files)).isEqualTo(REPLICAS);
    cluster.assertWhole(files.get(0), BLOCKS);
  }

  @Test
  @Tag("long")
  void aNameNodeThatCannotBeAskedIsSaidToBe() throws IOException {
    List<Path> files = files();
    MoverReport report;
    try {
      report = moveAndStrike(ALL_SSD, 1, mini -> mini.shutdownNameNode(0));
    } finally {
      cluster.mini().restartNameNode(0);
    }

    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly(
            "the NameNode could not be asked whether it is in place (run again when it answers)");
    MoverReport rest = takeOver(cluster.cluster(), cluster.order(ALL_SSD, "/t"));
    assertThat(rest.left()).isEmpty();
    assertThat(rest.moved().replicas()).isLessThan(REPLICAS - 8);
    assertThat(count("SSD", files)).isEqualTo(REPLICAS);
  }
}
