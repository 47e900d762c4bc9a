package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.GuideCommands.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tierwise works through a Router of HDFS's federation as its page says: the commands of
 * docs/how-to/operate.md as they stand there, and reads and writes of a client that knows the
 * Router only. The Router is real, with a state store in files and one name service behind it.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RouterGuideIT {
  private static final Path GUIDE =
      Path.of(System.getProperty("tierwise.root"), "docs", "how-to", "operate.md");
  private static final String NAMESERVICE = "ns0";
  private static final int POLL_MILLIS = 200;
  private static final int PATIENCE_MILLIS = 300_000;
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}}
        - {name: slow, match: {storage-type: DISK}}
      """;

  @TempDir static Path folder;
  private static MiniDFSCluster mini;
  private static LocalRouter router;
  private static Path conf;

  @BeforeAll
  static void start() throws Exception {
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), TIERS);
    Configuration server = new HdfsConfiguration();
    server.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        "io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy");
    server.set("dfs.namenode.plugins", "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin");
    server.set("tierwise.tiers.file", tiers.toString());
    mini =
        new MiniDFSCluster.Builder(server, folder.resolve("hdfs").toFile())
            .nnTopology(
                new MiniDFSNNTopology()
                    .addNameservice(
                        new MiniDFSNNTopology.NSConf(NAMESERVICE)
                            .addNN(new MiniDFSNNTopology.NNConf(null))))
            .numDataNodes(2)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    mini.waitActive();
    try (DistributedFileSystem fs = mini.getFileSystem(0)) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/warehouse"));
    }
    router = new LocalRouter(mini, List.of(NAMESERVICE), folder.resolve("store"), Map.of());
    conf = Files.createDirectories(folder.resolve("conf"));
    Files.copy(tiers, conf.resolve("tiers.yaml"));
    router.writeSite(
        conf,
        Map.of(
            "tierwise.access.strategy",
            "greedy",
            "dfs.namenode.http-address",
            "127.0.0.1:" + mini.getNameNode(0).getHttpAddress().getPort()));
  }

  @AfterAll
  static void stop() {
    if (router != null) {
      router.close();
    }
    if (mini != null) {
      mini.shutdown();
    }
  }

  @Test
  @Order(1)
  void theCommandsRun() throws Exception {
    List<Line> lines = GuideCommands.of(GUIDE, "router");
    assertThat(lines).isNotEmpty();
    for (Line line : lines) {
      if (line.startsWith("hdfs", "dfsrouteradmin")) {
        assertThat(router.admin(line.arguments(2))).as(line.toString()).isZero();
        awaitMount();
      } else {
        CommandRun run = tierwise(here(line.arguments(1)));
        assertThat(run.exitCode()).as(line.toString()).isZero();
        // A Router cannot be asked whether the NameNodes behind it obey what is shown.
        if (line.startsWith("bin/tierwise", "policy", "get")) {
          assertThat(run.err()).as(line.toString()).containsOnlyOnce("\n").contains("Router");
        } else {
          assertThat(run.err()).as(line.toString()).isEmpty();
        }
      }
    }
    assertThat(tierwise("policy", "get", "/warehouse").out()).contains("layout:");
    assertThat(tierwise("tiers", "list").out().replaceAll("\\s+", " "))
        .contains("fast", "slow")
        .contains("tiers.yaml of this command: ")
        .contains("it is a Router, behind which NameNodes decide");
  }

  @Test
  @Order(2)
  void blocksGoToTheirTiersAndReadsGoToTheFastOne() throws Exception {
    try (DistributedFileSystem fs = connect()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/warehouse/part-0");
      try (FSDataOutputStream out = fs.create(file, (short) 2)) {
        out.writeUTF("through the Router");
      }
      try (var in = fs.open(file)) {
        assertThat(in.readUTF()).isEqualTo("through the Router");
      }
      DFSTestUtil.waitReplication(fs, file, (short) 2);
      BlockLocation block = fs.getFileBlockLocations(file, 0, 1)[0];
      // In the order that the client would ask them.
      assertThat(block.getStorageTypes()).containsExactly(StorageType.SSD, StorageType.DISK);
    }
  }

  @Test
  @Order(3)
  void explainTellsThePolicyOfAMountedPath() {
    CommandRun explain = tierwise("explain", "/warehouse/part-0");
    assertThat(explain.exitCode()).as(explain.toString()).isZero();
    assertThat(explain.out()).contains("layout:1 x fast + 1 x slow");
  }

  /** The guide names a NameNode that is not here. */
  private static String[] here(String[] arguments) {
    String nameNode = "127.0.0.1:" + mini.getNameNodePort(0);
    return Arrays.stream(arguments)
        .map(argument -> argument.replace("nn1.example.com:8020", nameNode))
        .toArray(String[]::new);
  }

  @Test
  @Order(4)
  void aPolicyIsNotSetWhereNobodyCanSayWhetherItWillHold() {
    CommandRun set = tierwise("policy", "set", "/warehouse", "--placement", "hybrid");
    assertThat(set.exitCode()).isEqualTo(ExitCode.CLUSTER);
    assertThat(set.err()).contains("no placement was set").hasLineCount(1);
    assertThat(tierwise("policy", "get", "/warehouse").out()).contains("layout:");
  }

  @Test
  @Order(5)
  void doctorSaysThatARouterIsNoNameNode() {
    CommandRun doctor = tierwise("doctor");
    assertThat(doctor.exitCode()).as(doctor.toString()).isEqualTo(ExitCode.CLUSTER);
    assertThat(doctor.unfolded())
        .contains("a Router, behind which NameNodes decide", "--fs hdfs://NAMESERVICE")
        .contains("0 failures, 1 not checked");
    int web = mini.getNameNode(0).getHttpAddress().getPort();
    CommandRun behind =
        tierwise(
            "doctor",
            "--fs",
            "hdfs://127.0.0.1:" + mini.getNameNodePort(0),
            "-D",
            "dfs.namenode.http-address=127.0.0.1:" + web);
    assertThat(behind.unfolded()).contains("the plug-in runs").doesNotContain("a Router");
  }

  private static CommandRun tierwise(String... arguments) {
    List<String> words = new ArrayList<>(Arrays.asList(arguments));
    words.addAll(List.of("--conf", conf.toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  private static DistributedFileSystem connect() throws IOException {
    Configuration client = new HdfsConfiguration();
    client.addResource(new org.apache.hadoop.fs.Path(conf.resolve("core-site.xml").toUri()));
    client.set("tierwise.tiers.file", conf.resolve("tiers.yaml").toString());
    return (DistributedFileSystem) FileSystem.newInstance(client);
  }

  private static void awaitMount() throws Exception {
    try (DistributedFileSystem fs = connect()) {
      GenericTestUtils.waitFor(
          () -> {
            try {
              return fs.exists(new org.apache.hadoop.fs.Path("/warehouse"));
            } catch (IOException e) {
              return false;
            }
          },
          POLL_MILLIS,
          PATIENCE_MILLIS,
          "the mount to be seen");
    }
  }
}
