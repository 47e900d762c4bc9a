package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} and {@code doctor} on a cluster that places by policy. */
class ExplainIT {
  private static final long BLOCK_BYTES = 1 << 20;

  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    conf.set("tierwise.namenode.regions", "/r1=east,/r2=west");
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    hdfs =
        ManagedHdfs.start(
            folder,
            """
            tiers:
              - name: ssd
                match: {storage-type: SSD}
                class: {read-megabytes-per-second: 500}
              - {name: disk, match: {storage-type: DISK}}
            rules: [{path: /ruled, access: greedy, placement: hybrid}]
            """,
            conf,
            nodes ->
                nodes
                    .numDataNodes(4)
                    .racks(new String[] {"/r1", "/r1", "/r2", "/r2"})
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
    fs = hdfs.fs();
    fs.mkdirs(new Path("/hot"));
    run("policy", "set", "/hot", "--placement", "hybrid", "--access", "greedy");
    DFSTestUtil.createFile(
        fs, new Path("/hot/file"), 4096, 3 * BLOCK_BYTES, BLOCK_BYTES, (short) 2, 7);
    DFSTestUtil.createFile(fs, new Path("/plain"), 10, (short) 2, 7);
    for (String file : List.of("/hot/file", "/plain")) {
      hdfs.awaitReplicas(file, 2);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  private static CommandRun run(String... arguments) {
    return hdfs.run(arguments);
  }

  private static JsonNode json(String... arguments) throws IOException {
    return json(run(arguments));
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void everyReplicaIsShownWithTierAndRule() throws IOException {
    JsonNode file = json("explain", "/hot/file", "--json", "--access", "greedy");
    assertThat(file.path("placement").path("specification").asText()).isEqualTo("hybrid");
    assertThat(file.path("placement").path("origin").asText()).contains("/hot");
    assertThat(file.path("blocks")).hasSize(3);
    for (JsonNode block : file.path("blocks")) {
      List<String> tierNames = new ArrayList<>();
      block.path("replicas").forEach(r -> tierNames.add(r.path("tier").asText()));
      assertThat(tierNames).containsExactly("ssd", "disk");
      assertThat(block.path("reason").asText()).isEqualTo("fastest tier");
    }
  }

  @Test
  void theTableNamesTheRuleAndWhyTheFirstIsFirst() {
    CommandRun run = run("explain", "/hot/file", "--access", "greedy");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("policy now: hybrid (attribute user.tierwise.placement of /hot)")
        .contains("new blocks placed by: hybrid")
        .containsIgnoringWhitespaces("of the NameNode, the same as here")
        .contains("replicas where the policy wants them: 6 of 6")
        .contains("written before the policy: 0 of 3 blocks")
        .contains("read by: greedy (the option --access)")
        .containsIgnoringWhitespaces("and would move 3 of these replicas: keep it off this path")
        .contains("fastest tier");
  }

  @Test
  void anotherStrategyAndAnotherReaderCanBeTried() throws IOException {
    JsonNode disk = json("explain", "/plain", "--json", "--access", "dld");
    String node = disk.path("blocks").path(0).path("replicas").path(1).path("node").asText();
    String rack = disk.path("blocks").path(0).path("replicas").path(1).path("rack").asText();
    String host = node.substring(0, node.indexOf(':'));
    JsonNode moved =
        json("explain", "/plain", "--json", "--access", "dld", "--reader", rack + "/" + host);
    assertThat(moved.path("blocks").path(0).path("reason").asText()).contains("local");
    assertThat(moved.path("placement").isNull()).isTrue();
    assertThat(moved.path("reader").asText()).isEqualTo(rack + "/" + host);
    assertThat(disk.path("reader").isNull()).isTrue();
  }

  @Test
  void aReaderIsFoundByHostNameAndByAddress() throws IOException {
    JsonNode replica =
        json("explain", "/plain", "--json").path("blocks").path(0).path("replicas").path(1);
    String node = replica.path("node").asText();
    String host = node.substring(0, node.indexOf(':'));
    String place = replica.path("rack").asText() + "/" + host;
    for (String name : List.of(host, node, replica.path("address").asText(), place)) {
      JsonNode told = json("explain", "/plain", "--json", "--access", "dld", "--reader", name);
      assertThat(told.path("reader").asText()).as(name).isEqualTo(place);
      assertThat(told.at("/blocks/0/replicas/0/node").asText()).as(name).isEqualTo(node);
    }
    CommandRun unknown = run("explain", "/plain", "--reader", "nobody");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("--reader nobody: no DataNode").hasLineCount(1);
    CommandRun several = run("explain", "/plain", "--reader", "127.0.0.1");
    assertThat(several.exitCode()).isEqualTo(2);
    assertThat(several.err()).contains("4 nodes have this address").hasLineCount(1);
  }

  @Test
  void aDirectoryIsRefusedWithTheCommandToUse() {
    CommandRun run = run("explain", "/hot");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("is a directory").contains("tierwise policy get");
  }

  private static CommandRun doctor(String... more) {
    List<String> words = new ArrayList<>(List.of("doctor", "-D", hdfs.webKey()));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  @Test
  void blocksOlderThanThePolicyAreToldAndReplicasOffTheirTierAreMarked() throws IOException {
    Path directory = new Path("/grown");
    Path file = new Path(directory, "file");
    fs.mkdirs(directory);
    DFSTestUtil.createFile(fs, file, 4096, 2 * BLOCK_BYTES, BLOCK_BYTES, (short) 2, 7);
    run("policy", "set", "/grown", "--placement", "layout:2 x ssd");
    DFSTestUtil.appendFile(fs, file, (int) BLOCK_BYTES);
    hdfs.awaitReplicas("/grown/file", 2);

    JsonNode told = json("explain", "/grown/file", "--json");
    List<String> written = new ArrayList<>();
    List<String> replicas = new ArrayList<>();
    for (JsonNode block : told.path("blocks")) {
      written.add(block.path("written").asText());
      for (JsonNode replica : block.path("replicas")) {
        assertThat(replica.path("wanted").asText()).isEqualTo("ssd");
        replicas.add(replica.path("tier").asText() + " " + replica.path("on_tier").asBoolean());
      }
    }
    assertThat(written)
        .containsExactly("before_the_policy", "before_the_policy", "after_the_policy");
    assertThat(replicas)
        .containsExactly(
            "disk false", "disk false", "disk false", "disk false", "ssd true", "ssd true");
    assertThat(told.path("replicas_off_tier").asInt()).isEqualTo(4);
    assertThat(run("explain", "/grown/file").out())
        .contains("replicas where the policy wants them: 2 of 6; the others are marked with !")
        .contains("ssd !")
        .contains("written before the policy: 2 of 3 blocks");
  }

  @Test
  void whenNobodyKeptSinceWhenAPolicyHoldsThatIsSaid() throws IOException {
    fs.mkdirs(new Path("/ruled"));
    DFSTestUtil.createFile(fs, new Path("/ruled/file"), 10, (short) 2, 7);
    assertThat(run("explain", "/ruled/file").out())
        .contains("policy now: hybrid (rule for /ruled in")
        .contains("written before the policy: not known");
    fs.mkdirs(new Path("/by-hand"));
    fs.setXAttr(new Path("/by-hand"), "user.tierwise.placement", "hybrid".getBytes(UTF_8));
    DFSTestUtil.createFile(fs, new Path("/by-hand/file"), 10, (short) 2, 7);
    assertThat(run("explain", "/by-hand/file").out())
        .contains("written before the policy: not known");
  }

  @Test
  void theStrategyIsTheOneThatAClientWithThisConfigurationReadsBy() {
    String ours = "fs.hdfs.impl=" + TierwiseFileSystem.class.getName();
    assertThat(run("explain", "/hot/file").out())
        .contains("read by: network-aware (HDFS's own order: fs.hdfs.impl is not set)");
    assertThat(run("explain", "/hot/file", "-D", ours).out())
        .contains("read by: network-aware (HDFS's own order: the key tierwise.access.strategy");
    assertThat(run("explain", "/hot/file", "-D", ours, "-D", "tierwise.access.strategy=dld").out())
        .contains("read by: dld (the key tierwise.access.strategy)");
    String follow = "tierwise.access.from-attribute.enabled=true";
    assertThat(run("explain", "/hot/file", "-D", ours, "-D", follow).out())
        .contains("read by: greedy (attribute user.tierwise.access of /hot)");
  }

  @Test
  void aMalformedPolicyIsBadInputAndStockHdfsIsNamed() throws IOException {
    fs.mkdirs(new Path("/odd"));
    fs.setXAttr(new Path("/odd"), "user.tierwise.placement", "hybird".getBytes(UTF_8));
    DFSTestUtil.createFile(fs, new Path("/odd/file"), 10, (short) 2, 7);
    CommandRun run = run("explain", "/odd/file");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).contains("new blocks placed by: stock HDFS (the policy is malformed)");
    assertThat(run.err()).contains("of /odd is ignored").contains("\"hybird\"");
    fs.delete(new Path("/odd"), true);
  }

  @Test
  void regionsAreTheNameNodesOwn() throws IOException {
    run("policy", "set", "/hot", "--placement", "hybrid");
    List<String> regions = new ArrayList<>();
    for (JsonNode block : json("explain", "/hot/file", "--json").path("blocks")) {
      for (JsonNode replica : block.path("replicas")) {
        assertThat(replica.path("region").asText())
            .isEqualTo(replica.path("rack").asText().equals("/r1") ? "east" : "west");
        regions.add(replica.path("region").asText());
      }
    }
    assertThat(regions).contains("east", "west");
  }

  @Test
  void emptyAndOpenFilesAndFilesOfASnapshotAreTold() throws IOException {
    fs.create(new Path("/hot/empty")).close();
    assertThat(run("explain", "/hot/empty").out()).contains("no block: the file is empty");
    try (FSDataOutputStream out = fs.create(new Path("/hot/open"), (short) 2)) {
      out.write(new byte[100]);
      out.hflush();
      assertThat(run("explain", "/hot/open").out()).contains("being written");
    }
    fs.mkdirs(new Path("/kept"));
    run("policy", "set", "/kept", "--placement", "hybrid");
    DFSTestUtil.createFile(fs, new Path("/kept/file"), 10, (short) 2, 7);
    fs.allowSnapshot(new Path("/kept"));
    fs.createSnapshot(new Path("/kept"), "s1");
    fs.delete(new Path("/kept/file"), false);
    run("policy", "set", "/kept", "--placement", "layout:2 x ssd");
    CommandRun kept = run("explain", "/kept/.snapshot/s1/file");
    assertThat(kept.exitCode()).as(kept.err()).isZero();
    assertThat(kept.out()).contains("policy now: layout:2 x ssd (attribute").contains("of /kept)");
    assertThat(kept.out()).contains("in a snapshot: nothing new").doesNotContain("new blocks");
  }

  @Test
  void aPatternAndAPathOfAMountTableAreFollowed() throws IOException {
    DFSTestUtil.createFile(fs, new Path("/many/a1"), 10, (short) 2, 7);
    DFSTestUtil.createFile(fs, new Path("/many/a2"), 10, (short) 2, 7);
    fs.mkdirs(new Path("/many/a-directory"));
    assertThat(run("explain", "/many/a*").out()).contains("/many/a1: ").contains("/many/a2: ");
    assertThat(run("explain", "/many/b*").exitCode()).isEqualTo(2);
    String[] mounted = {
      "explain",
      "--fs",
      "viewfs://both/",
      "-D",
      "fs.viewfs.mounttable.both.link./mine=" + fs.getUri() + "/many",
      "-D",
      "tierwise.tiers.file=" + hdfs.tiers(),
      "/mine/a1"
    };
    CommandRun run = CommandRun.of(mounted);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("/many/a1: 10 B");
    mounted[mounted.length - 1] = "/mine/a*";
    assertThat(CommandRun.of(mounted).out()).contains("/many/a1: ").contains("/many/a2: ");
    mounted[mounted.length - 1] = "/";
    CommandRun mountPoint = CommandRun.of(mounted);
    assertThat(mountPoint.exitCode()).isEqualTo(2);
    assertThat(mountPoint.err()).contains("mount table");
  }

  @Test
  void anErasureCodedFileIsStocksAlsoBelowAManagedDirectory() throws IOException {
    fs.mkdirs(new Path("/hot/coded"));
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(new Path("/hot/coded"), "XOR-2-1-1024k");
    DFSTestUtil.createFile(fs, new Path("/hot/coded/file"), 10, (short) 1, 7);
    JsonNode told = json("explain", "/hot/coded/file", "--json");
    assertThat(told.path("placed_by").asText()).isEqualTo("stock_hdfs");
    assertThat(told.path("placed_by_reason").asText()).contains("erasure-coded");
    assertThat(told.path("replicas_off_tier").isNull()).isTrue();
  }

  @Test
  void someoneWhoMayNotReadIsToldSoInOneLine() throws Exception {
    fs.mkdirs(new Path("/secret"), new FsPermission((short) 0700));
    DFSTestUtil.createFile(fs, new Path("/secret/file"), 10, (short) 2, 7);
    CommandRun run =
        UserGroupInformation.createRemoteUser("eve")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> run("explain", "/secret/file"));
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err().strip()).contains("no permission").doesNotContain("\n");
    CommandRun plain =
        UserGroupInformation.createRemoteUser("eve")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> run("explain", "/hot/file"));
    assertThat(plain.exitCode()).as(plain.err()).isZero();
    assertThat(plain.out()).containsIgnoringWhitespaces("of the NameNode, the same as here");
  }

  @Test
  void theDoctorSeesTheNameNodesPluginAndWhatDataNodesLack() {
    CommandRun run = doctor();
    assertThat(run.unfolded())
        .contains("the plug-in runs and publishes its counters")
        .contains("fs.hdfs.impl is not set")
        .contains("tier disk has no measured figures")
        .doesNotContain("dfs.datanode.fsdataset")
        .doesNotContain("FAILURE");
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(doctor("-D", "tierwise.access.strategy=nbd").unfolded())
        .contains("dfs.datanode.fsdataset.factory is not ours on host0.foo.com:");
  }

  @Test
  void theDoctorLooksBehindAMountTable() {
    CommandRun run =
        doctor(
            "-D",
            "fs.defaultFS=viewfs://home/",
            "-D",
            "fs.viewfs.mounttable.home.link./data=" + fs.getUri() + "/hot");
    assertThat(run.unfolded()).contains("the plug-in runs and publishes its counters");
    assertThat(run.exitCode()).as(run.out()).isZero();
  }

  @Test
  void theDoctorFailsAClusterInSafeMode() throws IOException {
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    try {
      CommandRun run = doctor();
      assertThat(run.unfolded()).contains("FAILURE").contains("safe mode");
      assertThat(run.exitCode()).isEqualTo(3);
    } finally {
      fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
    }
  }

  @Test
  void theDoctorNamesNodesOutOfService() throws IOException {
    DatanodeManager nodes = hdfs.cluster().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor node =
        nodes.getDatanode(hdfs.cluster().getDataNodes().get(3).getDatanodeId());
    locked(() -> nodes.getDatanodeAdminManager().startDecommission(node));
    try {
      assertThat(doctor().unfolded())
          .containsPattern("1 decommission[a-z ]*: host3.foo.com:" + node.getXferPort());
    } finally {
      locked(() -> nodes.getDatanodeAdminManager().stopDecommission(node));
    }
  }

  /** As the NameNode calls its own parts. */
  private static void locked(Runnable change) {
    FSNamesystem namesystem = hdfs.cluster().getNamesystem();
    namesystem.writeLock();
    try {
      change.run();
    } finally {
      namesystem.writeUnlock("test");
    }
  }
}
