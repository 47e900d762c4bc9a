package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * DataNodes that copies are read from or written to are killed, and the NameNode is started again,
 * at many moments of moves between nodes. The mover's own end: {@link MoverKilledIT}.
 */
class FaultPointsIT {
  private static final int NODES_OF_REGION = 3;
  private static final int FILES = 3;
  private static final int BLOCKS = 2;
  private static final int MOVES = FILES * BLOCKS;
  private static final double PATIENCE_SECONDS = 4;
  private static final int REST_SECONDS_MAX = 180;

  private static LiveCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    cluster =
        LiveCluster.ofMixedNodes(
            conf, "/east/r1", "/east/r1", "/east/r2", "/west/r3", "/west/r3", "/west/r4");
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static MoverReport move(MoverSettings settings, Runnable blow, int atReplicas)
      throws IOException {
    try (Mover mover = open(settings)) {
      return mover.run(cluster.order("", "/t"), LiveCluster.at(atReplicas, blow));
    }
  }

  /** A process that opened one before may have a connection that a NameNode's end has cut. */
  private static Mover open(MoverSettings settings) throws IOException {
    try {
      return Mover.open(cluster.cluster(), settings);
    } catch (EOFException e) {
      return Mover.open(cluster.cluster(), settings);
    }
  }

  private static MoverSettings settings() {
    return LiveCluster.quick().withMovesPerNode(1).withPatience(PATIENCE_SECONDS);
  }

  /** What breaks at a point. */
  private enum Fault {
    SOURCE_REGION,
    TARGET_REGION,
    NAME_NODE
  }

  /** A node of each side and the NameNode, once. */
  @Test
  void nothingIsLostWhenANodeOrTheNameNodeGoes() throws IOException {
    strikeAtPoints(3);
  }

  @Test
  @Tag("long")
  void nothingIsLostAtManyPoints() throws IOException {
    strikeAtPoints(100);
  }

  private static void strikeAtPoints(int points) throws IOException {
    Random random = new Random(17);
    List<String> nodes = uuids();
    cluster.setPolicy("/t", "layout:3 x disk in region east");
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(cluster.write("/t/file" + i, BLOCKS, 3));
    }
    for (int point = 0; point < points; point++) {
      boolean toWest = point % 2 == 0;
      cluster.setPolicy(
          "/t",
          toWest
              ? "layout:2 x disk in region east + 1 x disk in region west"
              : "layout:3 x disk in region east");
      Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
      boolean inWest = (fault == Fault.TARGET_REGION) == toWest;
      int node = random.nextInt(NODES_OF_REGION) + (inWest ? NODES_OF_REGION : 0);
      int at = 1 + random.nextInt(MOVES - 1);
      String where = "point " + point + ": " + fault + " " + node + " at " + at;
      if (fault == Fault.NAME_NODE) {
        try (Watcher unused = Watcher.ofDataNodes(cluster, files, 3)) {
          strike(where, at, null, () -> cluster.mini().restartNameNode(0));
        }
      } else {
        try (Watcher unused = new Watcher(cluster, files, BLOCKS, 3)) {
          strikeNode(where, at, nodes.get(node));
        }
      }
      for (Path file : files) {
        cluster.assertWhole(file, BLOCKS);
      }
    }
  }

  /** A DataNode is killed, the mover ends, the node comes back, and another run does the rest. */
  private static void strikeNode(String where, int at, String uuid) throws IOException {
    MiniDFSCluster mini = cluster.mini();
    AtomicReference<DataNodeProperties> stopped = new AtomicReference<>();
    strike(
        where,
        at,
        () -> {
          if (stopped.get() != null) {
            assertThat(mini.restartDataNode(stopped.get(), false)).as(where).isTrue();
            mini.waitActive();
          }
        },
        () -> stopped.set(mini.stopDataNode(uuids().indexOf(uuid))));
  }

  /** Of the DataNodes in the mini cluster's order: one that came back is the last. */
  private static List<String> uuids() {
    return cluster.mini().getDataNodes().stream().map(DataNode::getDatanodeUuid).toList();
  }

  private interface Blow {
    void strike() throws IOException;
  }

  private static void strike(String where, int at, Blow heal, Blow blow) throws IOException {
    AtomicReference<IOException> failure = new AtomicReference<>();
    MoverReport report =
        move(
            settings(),
            () -> {
              try {
                blow.strike();
              } catch (IOException e) {
                failure.set(e);
              }
            },
            at);
    assertThat(failure.get()).as(where).isNull();
    if (heal != null) {
      heal.strike();
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS_MAX);
    while (!asWanted()) {
      assertThat(System.nanoTime()).as("%s: %s", where, report.left()).isLessThan(end);
      report = move(settings(), () -> {}, Integer.MAX_VALUE);
    }
  }

  private static boolean asWanted() throws IOException {
    return Mover.plan(cluster.cluster(), LiveCluster.quick(), cluster.order("", "/t"))
            .looked()
            .blocksAsWanted()
        == MOVES;
  }
}
