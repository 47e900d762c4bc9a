package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The other NameNode takes over in the middle of moves. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailoverIT {
  private static final int FILES = 4;
  private static final int BLOCKS = 2;
  private static final int REPLICAS = FILES * BLOCKS * 3;

  /** More than are changed before a change looks again whether it is overtaken. */
  private static final int MANY = 300;

  private static LiveCluster cluster;
  private static int down;

  @TempDir private java.nio.file.Path folder;

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
    cluster.mini().restartNameNode(down, false);
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

  private static int active(MiniDFSCluster mini) {
    return mini.getNameNode(0).isActiveState() ? 0 : 1;
  }

  /** A fault of the NameNodes. */
  private interface Blow {
    void strike(MiniDFSCluster mini) throws IOException;
  }

  private static void failOver(MiniDFSCluster mini) throws IOException {
    int before = active(mini);
    mini.transitionToStandby(before);
    mini.transitionToActive(1 - before);
  }

  private static MoverReport moveAndStrike(String directory, List<Path> files, Blow blow)
      throws IOException {
    return strikeIn(files, (mover, step) -> mover.run(cluster.order("", directory), step), blow);
  }

  private interface Work {
    MoverReport by(Mover mover, Listener.Step step) throws IOException;
  }

  private static MoverReport strikeIn(List<Path> files, Work work, Blow blow) throws IOException {
    AtomicReference<IOException> failure = new AtomicReference<>();
    MoverReport report;
    try (Watcher unused = new Watcher(cluster, files, BLOCKS, 3);
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick().withMovesPerNode(1))) {
      report =
          work.by(
              mover,
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

    MoverReport report = moveAndStrike("/across", files, FailoverIT::failOver);

    assertThat(report.left()).isEmpty();
    assertThat(report.moved().replicas()).isEqualTo(REPLICAS);
    assertThat(
            Mover.plan(cluster.cluster(), LiveCluster.quick(), cluster.order("", "/across"))
                .looked()
                .blocksAsWanted())
        .isEqualTo(FILES * BLOCKS);
  }

  /**
   * A report that comes before a node's first heartbeat does not count. So heartbeats are missing
   * from the failover until a node has reported once.
   */
  @Tag("long")
  @Test
  @Order(2)
  void movesGoOnWhereTheFirstReportsCameBeforeHeartbeats() throws Exception {
    List<Path> files = files("/unheard", "layout:3 x disk in region east");
    cluster.setPolicy("/unheard", "layout:3 x disk in region west");
    ExecutorService hears = Executors.newSingleThreadExecutor();
    AtomicReference<Future<?>> heard = new AtomicReference<>();
    try {
      MoverReport report =
          moveAndStrike(
              "/unheard",
              files,
              mini -> {
                Map<DataNode, Long> reports = new LinkedHashMap<>();
                for (DataNode node : mini.getDataNodes()) {
                  DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
                }
                failOver(mini);
                for (DataNode node : mini.getDataNodes()) {
                  reports.put(node, reportedMillis(node));
                }
                heard.set(hears.submit(() -> hearWhoReported(reports)));
              });

      assertThat(heard.get().isDone()).as("a node reported without heartbeats").isTrue();
      heard.get().get();
      assertThat(report.left()).isEmpty();
      assertThat(report.moved().replicas()).isEqualTo(REPLICAS);
    } finally {
      hears.shutdownNow();
      for (DataNode node : cluster.mini().getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(node, false);
      }
    }
  }

  /** When the active NameNode last got a report of all of the node's blocks, by its clock. */
  private static long reportedMillis(DataNode node) throws IOException {
    MiniDFSCluster mini = cluster.mini();
    return mini.getNamesystem(active(mini))
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(node.getDatanodeId())
        .getLastBlockReportMonotonic();
  }

  /** Lets the nodes' heartbeats through when one has reported its blocks once more. */
  private static Void hearWhoReported(Map<DataNode, Long> before) throws IOException {
    LiveCluster.await(
        "a report without a heartbeat",
        () -> {
          for (Map.Entry<DataNode, Long> each : before.entrySet()) {
            if (reportedMillis(each.getKey()) > each.getValue()) {
              return true;
            }
          }
          return false;
        });
    for (DataNode node : before.keySet()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, false);
    }
    return null;
  }

  @Tag("long")
  @Test
  @Order(3)
  void anUndoGoesOnWhenTheOtherNameNodeTakesOver() throws IOException {
    List<Path> files = files("/back", "layout:3 x disk");
    cluster.setPolicy("/back", "layout:3 x ssd");
    JournalRun run = begin();
    try (run;
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      assertThat(mover.run(cluster.order("", "/back"), Listener.Step.SILENT).left()).isEmpty();
    }
    Undo undo = new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()));

    MoverReport undone =
        strikeIn(files, (mover, step) -> mover.undo(undo, step), FailoverIT::failOver);

    assertThat(undone.left()).isEmpty();
    assertThat(undone.moved().replicas()).isEqualTo(REPLICAS);
    for (Path file : files) {
      assertThat(cluster.typesOf(file)).containsOnly("DISK DISK DISK");
    }
  }

  @Tag("long")
  @Test
  @Order(4)
  void aChangeOfALayoutGoesOnWhenTheOtherNameNodeTakesOver() throws IOException {
    cluster.setPolicy("/many", "layout:3 x disk");
    for (int i = 0; i < MANY; i++) {
      cluster.fs().create(new Path("/many/" + i), (short) 3).close();
    }
    FileTiers tiers = new FileTiers(cluster.cluster());
    FileTiers.Change change = tiers.setRepPolicy("/many", "2 x disk");
    AtomicInteger asked = new AtomicInteger();
    try (JournalRun run = begin()) {
      new LayoutWork(tiers, change)
          .make(
              run,
              () -> {
                if (asked.incrementAndGet() == 2) {
                  failOver(cluster.mini());
                }
              });
    }

    assertThat(asked).hasValueGreaterThan(1);
    assertThat(cluster.fs().listStatus(new Path("/many")))
        .hasSize(MANY)
        .allMatch(file -> file.getReplication() == 2);
    assertThat(JournaledChanges.ownPolicy(cluster.fs(), "/many")).isEqualTo("layout:2 x disk");
  }

  /** It does so twice: while files get other layouts, and while they move. */
  @Tag("long")
  @Test
  @Order(5)
  void aFlushGoesOnWhenTheOtherNameNodeTakesOver() throws IOException {
    List<Path> files = files("/full", "layout:1 x ssd + 2 x disk");
    AtomicInteger changed = new AtomicInteger();
    try (DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags)
              throws IOException {
            super.setXAttr(path, name, value, flags);
            if (name.equals(PathPolicy.PLACEMENT_ATTRIBUTE) && changed.incrementAndGet() == 2) {
              failOver(cluster.mini());
            }
          }
        }) {
      fs.initialize(cluster.fs().getUri(), cluster.clientConf());
      TierFlush flush =
          TierFlush.of(
              MoverCluster.of(fs, cluster.clientConf()),
              LiveCluster.quick(),
              "/full",
              "ssd",
              new Watermarks(0, 0),
              "oldest");
      assertThat(flush.paths()).hasSize(FILES);

      MoverReport report;
      try (JournalRun run = begin()) {
        report =
            strikeIn(
                files,
                (mover, step) -> flush.job().run(mover.writingTo(run), run, step),
                FailoverIT::failOver);
      }

      assertThat(changed).hasValue(FILES);
      assertThat(report.left()).isEmpty();
      assertThat(report.moved().replicas()).isEqualTo(FILES * BLOCKS);
    }
    for (Path file : files) {
      assertThat(cluster.typesOf(file)).containsOnly("DISK DISK DISK");
      assertThat(JournaledChanges.ownPolicy(cluster.fs(), file.toString()))
          .isEqualTo("layout:3 x disk");
    }
  }

  private JournalRun begin() {
    return new Journal(folder).begin("test", "me", "here", List.of("/"), "", null);
  }

  /** It chooses no replica to drop, so that it would say that there is none. */
  @Test
  @Order(6)
  void aNameNodeInStandbyDoesNotTellWhichReplicasGo() throws IOException {
    MiniDFSCluster mini = cluster.mini();
    NameNode standby = mini.getNameNode(1 - active(mini));
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
  @Order(7)
  void movesInsideNodesGoOnWhenTheActiveNameNodeDies() throws IOException {
    List<Path> files = files("/inside", "layout:3 x disk");
    cluster.setPolicy("/inside", "layout:3 x ssd");

    MoverReport report =
        moveAndStrike(
            "/inside",
            files,
            mini -> {
              down = active(mini);
              mini.shutdownNameNode(down);
              mini.transitionToActive(1 - down);
            });

    assertThat(report.left()).isEmpty();
    assertThat(report.moved().replicas()).isEqualTo(REPLICAS);
    for (Path file : files) {
      assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
    }
  }
}
