package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The other NameNode takes over in the middle of moves. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailoverIT {
  private static final int FILES = 4;
  private static final int BLOCKS = 2;
  private static final int REPLICAS = FILES * BLOCKS * 3;

  private static LiveCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    LiveCluster.haveHdfsHurry(conf);
    cluster =
        LiveCluster.pairOfNameNodes(
            conf, "/east/r1", "/east/r1", "/east/r2", "/west/r3", "/west/r3", "/west/r4");
  }

  @AfterAll
  static void end() throws IOException {
    // A DataNode ends only after it has tried for minutes to reach a NameNode that is down.
    cluster.mini().restartNameNode(1, false);
    cluster.close();
  }

  private static List<Path> files(String directory, String policy) throws IOException {
    cluster.setPolicy(directory, policy);
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(cluster.write(directory + "/file" + i, BLOCKS, 3));
    }
    return files;
  }

  /** A fault of the NameNodes. */
  private interface Blow {
    void strike(MiniDFSCluster mini) throws IOException;
  }

  private static MoverReport moveAndStrike(String directory, List<Path> files, Blow blow)
      throws IOException {
    AtomicReference<IOException> failure = new AtomicReference<>();
    MoverReport report;
    try (Watcher unused = new Watcher(cluster, files, BLOCKS, 3);
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick().withMovesPerNode(1))) {
      report =
          mover.run(
              cluster.order("", directory),
              LiveCluster.at(
                  5,
                  () -> {
                    try {
                      blow.strike(cluster.mini());
                    } catch (IOException e) {
                      failure.set(e);
                    }
                  }));
    }
    assertThat(failure.get()).isNull();
    return report;
  }

  @Tag("long")
  @Test
  @Order(1)
  void movesBetweenNodesGoOnWhenTheOtherNameNodeTakesOver() throws IOException {
    List<Path> files = files("/across", "layout:3 x disk in region east");
    cluster.setPolicy("/across", "layout:3 x disk in region west");

    MoverReport report =
        moveAndStrike(
            "/across",
            files,
            mini -> {
              mini.transitionToStandby(0);
              mini.transitionToActive(1);
            });

    assertThat(report.left()).isEmpty();
    assertThat(report.moved().replicas()).isEqualTo(REPLICAS);
    assertThat(
            Mover.plan(cluster.cluster(), LiveCluster.quick(), cluster.order("", "/across"))
                .blocksAsWanted())
        .isEqualTo(FILES * BLOCKS);
  }

  /** It chooses no replica to drop, so that it would say that there is none. */
  @Test
  @Order(2)
  void aNameNodeInStandbyDoesNotTellWhichReplicasGo() throws IOException {
    MiniDFSCluster mini = cluster.mini();
    NameNode standby = mini.getNameNode(mini.getNameNode(0).isStandbyState() ? 0 : 1);
    NameNodePlugin plugin = new NameNodePlugin(cluster.fs(), cluster.clientConf());
    assertThat(plugin.blocksWithExcess(plugin.ofActive(), List.of())).isNotNegative();
    NameNodePlugin.Answer other =
        new NameNodePlugin.Answer(
            NetUtils.getHostPortString(standby.getNameNodeAddress()),
            NameNodePlugin.State.RUNS,
            null,
            "");
    assertThatThrownBy(() -> plugin.blocksWithExcess(other, List.of()))
        .isInstanceOf(IOException.class);
  }

  /** Last, since a NameNode is missing then. */
  @Test
  @Order(3)
  void movesInsideNodesGoOnWhenTheActiveNameNodeDies() throws IOException {
    List<Path> files = files("/inside", "layout:3 x disk");
    cluster.setPolicy("/inside", "layout:3 x ssd");

    MoverReport report =
        moveAndStrike(
            "/inside",
            files,
            mini -> {
              mini.shutdownNameNode(1);
              mini.transitionToActive(0);
            });

    assertThat(report.left()).isEmpty();
    assertThat(report.moved().replicas()).isEqualTo(REPLICAS);
    for (Path file : files) {
      assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
    }
  }
}
