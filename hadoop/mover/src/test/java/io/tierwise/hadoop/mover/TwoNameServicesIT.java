package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Two NameNodes over the same DataNodes, with a mover each. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoNameServicesIT {
  private static final int BLOCKS = 16;
  private static final long NODE_BYTES_PER_SECOND = 2L * LiveCluster.BLOCK_BYTES;
  private static final String[] RACKS = {"/r1", "/r2", "/r3"};

  /** The node's rate holds over a few moves: the first ones start at once. */
  private static final double SECONDS_MIN =
      0.8 * 2 * BLOCKS * LiveCluster.BLOCK_BYTES / NODE_BYTES_PER_SECOND;

  private static List<LiveCluster> services;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    StorageType[][] types = {LiveCluster.BOTH, LiveCluster.BOTH, LiveCluster.BOTH};
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-mini").toFile())
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(RACKS.length)
            .racks(RACKS)
            .storagesPerDatanode(LiveCluster.BOTH.length)
            .storageTypes(types)
            .build();
    mini.waitActive();
    // The mini cluster has added the addresses of both, which its own clients do not know.
    services = List.of(service(mini, conf, 0), service(mini, conf, 1));
  }

  private static LiveCluster service(MiniDFSCluster mini, Configuration conf, int number)
      throws IOException {
    FileSystem fs = FileSystem.newInstance(mini.getURI(number), new Configuration(conf));
    return new LiveCluster(mini, conf, (DistributedFileSystem) fs);
  }

  @AfterAll
  static void end() {
    services.get(0).close();
  }

  private static CompletableFuture<MoverReport> move(LiveCluster service) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            MoverSettings slow = LiveCluster.quick().atRates(NODE_BYTES_PER_SECOND, 1L << 40);
            return service.move(slow, service.order("layout:3 x ssd", "/t"));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  @Order(1)
  void twoMoversAtOnceLoseNothingAndKeepToANodesLimitTogether() throws Exception {
    List<Path> files =
        List.of(
            services.get(0).write("/t/file", BLOCKS, 3),
            services.get(1).write("/t/other", BLOCKS, 3));
    long begun = System.nanoTime();
    List<MoverReport> reports;
    try (Watcher unused = new Watcher(services.get(0), files.subList(0, 1), BLOCKS, 3);
        Watcher unusedToo = new Watcher(services.get(1), files.subList(1, 2), BLOCKS, 3)) {
      CompletableFuture<MoverReport> first = move(services.get(0));
      CompletableFuture<MoverReport> second = move(services.get(1));
      reports = List.of(first.get(3, TimeUnit.MINUTES), second.get(3, TimeUnit.MINUTES));
    }
    double seconds = (System.nanoTime() - begun) / 1e9;

    for (int service = 0; service < 2; service++) {
      assertThat(reports.get(service).left()).isEmpty();
      assertThat(reports.get(service).moved().replicas()).isEqualTo(3 * BLOCKS);
      assertThat(reports.get(service).heeded().unseenMovers()).isNull();
      assertThat(services.get(service).typesOf(files.get(service))).containsOnly("SSD SSD SSD");
      services.get(service).assertWhole(files.get(service), BLOCKS);
    }
    assertThat(reports).allMatch(report -> report.heeded().yielded().nodes() == RACKS.length);
    assertThat(seconds).isGreaterThan(SECONDS_MIN);
  }

  @Test
  @Order(2)
  void aMoverKeepsHalfForAsLongAsAnotherOneHasItsLock() throws Exception {
    LiveCluster mine = services.get(0);
    String node = mine.mini().getDataNodes().get(0).getDatanodeUuid();
    try (OtherMovers others = others(mine.clientConf())) {
      others.start();
      assertThat(others.part(node)).isEqualTo(1);
      try (Mover own = Mover.open(mine.cluster(), LiveCluster.quick());
          Mover other = Mover.open(services.get(1).cluster(), LiveCluster.quick())) {
        assertThat(own).isNotNull();
        assertThat(other).isNotNull();
        LiveCluster.await("half", () -> others.part(node) == 0.5);
        assertThat(others.part("a node of this name service alone")).isEqualTo(1);
      }
      LiveCluster.await("all", () -> others.part(node) == 1);
      assertThat(others.unseen()).isEmpty();
    }
  }

  private static OtherMovers others(Configuration conf) throws IOException {
    LiveCluster mine = services.get(0);
    String pool = mine.mini().getNamesystem(0).getBlockPoolId();
    ForegroundWatch.Question nodes = () -> List.of(mine.fs().getDataNodeStats());
    return OtherMovers.of(conf, pool, nodes, new OtherMovers.Known());
  }

  /** A client's configuration that names one more. */
  private static Configuration with(String name, int port) throws IOException {
    Configuration conf = services.get(0).clientConf();
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, conf.get(DFSConfigKeys.DFS_NAMESERVICES) + "," + name);
    conf.set("dfs.namenode.rpc-address." + name, "localhost:" + port);
    return conf;
  }

  /** As clients name it that copy to it. Long: OtherNameServiceTest has it without NameNodes. */
  @Tag("long")
  @Test
  @Order(3)
  void aNameServiceWithDataNodesOfItsOwnIsAskedOnce() throws Exception {
    LiveCluster mine = services.get(0);
    String node = mine.mini().getDataNodes().get(0).getDatanodeUuid();
    Configuration farConf = LiveCluster.plain();
    farConf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, CountedQuestions.class.getName());
    try (MiniDFSCluster far =
        new MiniDFSCluster.Builder(farConf, Files.createTempDirectory("tierwise-far").toFile())
            .build()) {
      far.waitActive();
      Configuration conf = with("far", far.getNameNodePort());
      // The mini cluster itself has asked before.
      CountedQuestions.byName.clear();
      try (OtherMovers others = others(conf)) {
        others.start();
        try (Mover other = Mover.open(services.get(1).cluster(), LiveCluster.quick())) {
          assertThat(other).isNotNull();
          LiveCluster.await("half", () -> others.part(node) == 0.5);
        }
        LiveCluster.await("all", () -> others.part(node) == 1);
        assertThat(others.unseen()).isEmpty();
      }
    }
    assertThat(CountedQuestions.byName).containsEntry("datanodeReport", 1);
    assertThat(CountedQuestions.byName).doesNotContainKey("isFileClosed");
  }

  /** Counts what a NameNode is asked. */
  public static final class CountedQuestions implements AuditLogger {
    static final Map<String, Integer> byName = new ConcurrentHashMap<>();

    @Override
    public void initialize(Configuration conf) {}

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String user,
        InetAddress address,
        String question,
        String path,
        String other,
        FileStatus status) {
      byName.merge(question, 1, Integer::sum);
    }
  }

  /**
   * It is connected to, and answers nothing. Long: OtherNameServiceTest has it without NameNodes.
   */
  @Tag("long")
  @Test
  @Order(4)
  void aNameServiceThatHangsDelaysNoNewsOfOthers() throws Exception {
    String node = services.get(0).mini().getDataNodes().get(0).getDatanodeUuid();
    try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Mover other = Mover.open(services.get(1).cluster(), LiveCluster.quick());
        OtherMovers others = others(with("hung", hung.getLocalPort()))) {
      assertThat(other).isNotNull();
      CompletableFuture<Void> started = CompletableFuture.runAsync(others::start);
      LiveCluster.await("half", () -> others.part(node) == 0.5);
      assertThat(others.unseen()).as("what was known before it failed").isEmpty();
      LiveCluster.await("a failure", () -> !others.unseen().isEmpty());
      assertThat(OtherMovers.line(others.unseen())).contains(":" + hung.getLocalPort());
      assertThat(others.part(node)).isEqualTo(0.5);
      started.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  @Order(5)
  void aNameServiceThatIsAwayHoldsNothingUpIsNamedAndHeededAgain() throws Exception {
    LiveCluster mine = services.get(0);
    String node = mine.mini().getDataNodes().get(0).getDatanodeUuid();
    Path file = mine.write("/later/file", 2, 3);
    String away = ":" + mine.mini().getNameNodePort(1);
    mine.mini().shutdownNameNode(1);

    MoverReport report;
    try (Mover mover = Mover.open(mine.cluster(), LiveCluster.quick())) {
      report = mover.run(mine.order("layout:3 x ssd", "/later"), Listener.Step.SILENT);
    }
    assertThat(report.left()).isEmpty();
    assertThat(mine.typesOf(file)).containsOnly("SSD SSD SSD");
    assertThat(report.heeded().unseenMovers()).contains(away, "give each mover its part");
    assertThat(String.join("\n", report.lines(false))).contains(away);

    try (OtherMovers others = others(mine.clientConf())) {
      others.start();
      assertThat(OtherMovers.line(others.unseen())).contains(away);
      mine.mini().restartNameNode(1);
      try (Mover other = Mover.open(services.get(1).cluster(), LiveCluster.quick())) {
        assertThat(other).isNotNull();
        LiveCluster.await("half", () -> others.part(node) == 0.5);
      }
    }
  }

  @Test
  @Order(6)
  void aNodeOfOneNameServiceAloneIsNotShared() throws Exception {
    LiveCluster mine = services.get(0);
    String node = mine.mini().getDataNodes().get(0).getDatanodeUuid();
    Configuration alone = new Configuration(mine.mini().getConfiguration(0));
    alone.set(
        DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY, alone.get(DFSConfigKeys.DFS_NAMESERVICE_ID));
    mine.mini().startDataNodes(alone, 1, true, null, new String[] {"/r4"});
    String own = mine.mini().getDataNodes().get(RACKS.length).getDatanodeUuid();
    LiveCluster.await(
        "the new node",
        () ->
            Stream.of(mine.fs().getDataNodeStats())
                .anyMatch(live -> live.getDatanodeUuid().equals(own)));
    try (OtherMovers others = others(mine.clientConf())) {
      others.start();
      try (Mover other = Mover.open(services.get(1).cluster(), LiveCluster.quick())) {
        assertThat(other).isNotNull();
        LiveCluster.await("half", () -> others.part(node) == 0.5);
        assertThat(others.part(own)).isEqualTo(1);
      }
    }
  }

  /** Else the mover of a name service would not be heeded until a node of both is up again. */
  @Test
  @Order(7)
  void aNameServiceIsSharedAlsoByANodeThatIsDownThere() throws Exception {
    try (MiniDFSCluster far =
        new MiniDFSCluster.Builder(
                LiveCluster.plain(), Files.createTempDirectory("tierwise-down").toFile())
            .build()) {
      far.waitActive();
      List<DatanodeInfo> nodes = List.of(far.getFileSystem().getDataNodeStats());
      far.stopDataNode(0);
      far.setDataNodeDead(nodes.get(0));
      assertThat(far.getFileSystem().getDataNodeStats(DatanodeReportType.LIVE)).isEmpty();
      try (NameServiceQuestion question =
          new NameServiceQuestion(far.getConfiguration(0), far.getURI(), "own", () -> nodes)) {
        assertThat(question.ask().shares()).isTrue();
      }
    }
  }

  /** Else it would be taken for one that shares none, and not be asked for ten minutes. */
  @Test
  @Order(8)
  void aNameServiceThatStartsIsAskedAgainUntilItsDataNodesAreThere() throws Exception {
    Configuration conf = LiveCluster.plain();
    try (MiniDFSCluster far =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-new").toFile())
            .numDataNodes(0)
            .build()) {
      ForegroundWatch.Question all = () -> List.of(far.getFileSystem().getDataNodeStats());
      try (NameServiceQuestion question =
          new NameServiceQuestion(far.getConfiguration(0), far.getURI(), "own", all)) {
        assertThatThrownBy(question::ask)
            .hasMessageContaining("has not heard of all its DataNodes");
        far.startDataNodes(conf, 1, true, null, null);
        far.waitActive();
        assertThat(question.ask().shares()).isTrue();
      }
    }
  }
}
