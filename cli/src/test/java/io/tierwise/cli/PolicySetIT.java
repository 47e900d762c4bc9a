package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code policy set} keeps its promises where a NameNode does not obey it. Of two NameNodes the
 * first runs the plug-in, with a tier table that the command does not have; the second runs none.
 */
class PolicySetIT {
  private static final Path DIRECTORY = new Path("/data");

  @TempDir static java.nio.file.Path folder;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static java.nio.file.Path confDirectory;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(0)
            .build();
    java.nio.file.Path tiers =
        Files.writeString(
            folder.resolve("namenode-tiers.yaml"),
            """
            tiers:
              - {name: hot, match: {storage-type: SSD}}
              - {name: cold, match: {storage-type: ARCHIVE}}
            rules: [{path: /ruled, placement: "layout:1 x hot + 1 x cold"}]
            limits:
              - {users: ["guest*"], paths: ["/data/*/scratch/**"], tiers: [cold]}
              - {paths: [/elsewhere, "/other/*/data"], tiers: [cold]}
              - {groups: [interns], tiers: [hot, cold]}
            byte-limits: [{path: /budget/team, tier: hot, bytes: 1 TB}]
            """);
    Configuration first = cluster.getConfiguration(0);
    first.set("tierwise.tiers.file", tiers.toString());
    first.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    first.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    cluster.restartNameNode(0);
    cluster.transitionToActive(0);
    Configuration client = new Configuration(false);
    HATestUtil.setFailoverConfigurations(
        cluster, client, "pair", 0, ConfiguredFailoverProxyProvider.class);
    confDirectory = Files.createDirectories(folder.resolve("conf"));
    try (OutputStream site = Files.newOutputStream(confDirectory.resolve("core-site.xml"))) {
      client.writeXml(site);
    }
    fs = HATestUtil.configureFailoverFs(cluster, new HdfsConfiguration());
    fs.mkdirs(DIRECTORY);
    fs.mkdirs(new Path("/ruled"));
  }

  @AfterAll
  static void stop() throws IOException {
    fs.close();
    cluster.shutdown();
  }

  @BeforeEach
  void nothingIsSet() throws IOException {
    activate(0);
    for (String name : fs.getXAttrs(DIRECTORY).keySet()) {
      fs.removeXAttr(DIRECTORY, name);
    }
  }

  private static void activate(int nameNode) throws IOException {
    if (!cluster.getNameNode(nameNode).isActiveState()) {
      cluster.transitionToStandby(1 - nameNode);
      cluster.transitionToActive(nameNode);
    }
  }

  private static CommandRun run(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--conf";
    all[arguments.length + 1] = confDirectory.toString();
    return CommandRun.of(all);
  }

  private static Map<String, byte[]> attributes() throws IOException {
    return fs.getXAttrs(DIRECTORY);
  }

  @Test
  void whereTheActiveNameNodeLacksThePluginNoPlacementIsSet() throws IOException {
    activate(1);
    CommandRun refused = run("policy", "set", "/data", "--placement", "hybrid");
    assertThat(refused.err()).contains("runs without the Tierwise plug-in").contains("--force");
    assertThat(refused.err().strip()).doesNotContain("\n");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(attributes()).isEmpty();

    CommandRun forced = run("policy", "set", "/data", "--placement", "hybrid", "--force");
    assertThat(forced.exitCode()).as(forced.err()).isZero();
    assertThat(forced.err()).contains("as stock HDFS does");
    assertThat(attributes()).containsOnlyKeys("user.tierwise.placement");
  }

  @Test
  void explainSaysThatAPolicyIsNotObeyedWhereThePluginIsMissing() throws IOException {
    run("policy", "set", "/data", "--placement", "hybrid");
    fs.create(new Path(DIRECTORY, "empty")).close();
    activate(1);
    assertThat(run("explain", "/data/empty").out())
        .contains("policy now: hybrid")
        .contains("placed by: stock HDFS (the NameNode runs without the plug-in)");
  }

  @Test
  void getSaysThatAPolicyIsNotObeyedWhereThePluginIsMissing() throws IOException {
    run("policy", "set", "/data", "--placement", "hybrid");
    assertThat(run("policy", "get", "/data").err()).isEmpty();
    activate(1);
    CommandRun get = run("policy", "get", "/data");
    assertThat(get.out()).contains("hybrid");
    assertThat(get.err())
        .contains("runs without the plug-in: it obeys none of these policies")
        .hasLineCount(1);
    assertThat(run("policy", "get", "/").err()).isEmpty();
    assertThat(get.exitCode()).isZero();
  }

  @Test
  void anAccessStrategyIsTheClientsAndNeedsNoPluginInTheNameNode() throws IOException {
    activate(1);
    CommandRun run = run("policy", "set", "/data", "--access", "greedy");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(attributes()).containsOnlyKeys("user.tierwise.access");
  }

  @Test
  void aStandbyWithoutThePluginIsNamedAndThePolicyIsSet() throws IOException {
    CommandRun run = run("policy", "set", "/data", "--placement", "hybrid");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(cluster.getNameNode(1).getNameNodeAddressHostPortString())
        .contains("after a failover to it the policy is not obeyed");
    assertThat(attributes())
        .containsOnlyKeys("user.tierwise.placement", "user.tierwise.placement.since");
    assertThat(run("policy", "unset", "/data").exitCode()).isZero();
    assertThat(attributes()).isEmpty();
  }

  @Test
  void whenAPolicyWasSetIsKeptWhenItIsSetAgainAndChangedWithThePolicy() throws Exception {
    run("policy", "set", "/data", "--placement", "hybrid");
    byte[] first = attributes().get("user.tierwise.placement.since");
    run("policy", "set", "/data", "--placement", "hybrid");
    assertThat(attributes().get("user.tierwise.placement.since")).isEqualTo(first);
    run("policy", "set", "/data", "--placement", "random");
    assertThat(attributes().get("user.tierwise.placement.since")).isNotEqualTo(first);
  }

  @Test
  void theTierTableIsTheNameNodesAndNotTheOneOfTheCommand() throws IOException {
    String hotOnly = "layout:2 x hot";
    CommandRun known = run("policy", "set", "/data", "--placement", hotOnly);
    assertThat(known.exitCode()).as(known.err()).isZero();
    CommandRun unknown = run("policy", "set", "/data", "--placement", "layout:2 x ssd");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("\"ssd\"").contains("hot, cold");
    assertThat(run("policy", "get", "/ruled").out())
        .contains("layout:1 x hot + 1 x cold")
        .contains("of the NameNode");
  }

  @Test
  void theRootNeedsAYesAndNamesIt() throws IOException {
    CommandRun refused = run("policy", "set", "/", "--placement", "hybrid");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("--yes");
    assertThat(fs.getXAttrs(new Path("/"))).isEmpty();
    assertThat(run("policy", "set", "/", "--placement", "hybrid", "--dry-run").exitCode()).isZero();
    CommandRun meant = run("policy", "set", "/", "--placement", "hybrid", "--yes");
    assertThat(meant.exitCode()).as(meant.err()).isZero();
    assertThat(
            new String(
                fs.getXAttr(new Path("/"), "user.tierwise.placement"), StandardCharsets.UTF_8))
        .isEqualTo("hybrid");
    assertThat(run("policy", "unset", "/").exitCode()).isZero();
  }

  @Test
  void theJsonSaysWhetherTheNameNodeObeys() throws IOException {
    CommandRun run = run("policy", "set", "/data", "--placement", "hybrid", "--json", "--dry-run");
    assertThat(new ObjectMapper().readTree(run.out()).path("namenode_plugin").asText())
        .isEqualTo("runs");
    assertThat(attributes()).isEmpty();
  }

  private static List<String> notEnforced(String path, String placement) throws IOException {
    CommandRun run = run("policy", "set", path, "--placement", placement, "--json", "--dry-run");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out()).path("not_enforced").findValuesAsText("reason");
  }

  @Test
  void whatAPlacementDoesNotReachIsNamed() throws IOException {
    CommandRun run = run("policy", "set", "/data", "--placement", "layout:2 x hot");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().allMatch(line -> line.length() <= 80)).as(run.out()).isTrue();
    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("not enforced: - blocks that are stored already")
        .contains("files of users guest* at /data/*/scratch/**: limits in ")
        .contains("do not allow them hot")
        .doesNotContain("/elsewhere")
        .doesNotContain("interns")
        .doesNotContain("quota");
    assertThat(notEnforced("/data", "layout:2 x cold")).doesNotContain("limits");
    assertThat(notEnforced("/data", "stock")).isEmpty();
  }

  @Test
  void aLimitInBytesIsNamedWhereThePolicyWantsTheTier() throws IOException {
    fs.mkdirs(new Path("/budget/team/x"));
    fs.mkdirs(new Path("/budget/teams"));
    assertThat(notEnforced("/budget/team/x", "layout:1 x hot")).contains("byte_limit");
    assertThat(notEnforced("/budget", "layout:1 x hot")).contains("byte_limit");
    assertThat(notEnforced("/budget/team", "layout:1 x cold")).doesNotContain("byte_limit");
    assertThat(notEnforced("/budget/teams", "layout:1 x hot")).doesNotContain("byte_limit");
  }

  @Test
  void aQuotaOfAStorageTypeAboveIsNamedWhereThePolicyWantsTheType() throws IOException {
    Path below = new Path("/quota/below");
    fs.mkdirs(below);
    fs.setQuotaByStorageType(below.getParent(), StorageType.SSD, 1 << 20);
    assertThat(notEnforced("/quota/below", "layout:1 x hot + 1 x cold")).contains("type_quota");
    assertThat(notEnforced("/quota", "hybrid")).contains("type_quota");
    assertThat(notEnforced("/quota/below", "layout:1 x cold")).doesNotContain("type_quota");
    assertThat(notEnforced("/data", "hybrid")).doesNotContain("type_quota", "type_quota_unknown");
    fs.setQuotaByStorageType(below.getParent(), StorageType.SSD, HdfsConstants.QUOTA_RESET);
    assertThat(notEnforced("/quota/below", "hybrid")).doesNotContain("type_quota");
  }

  @Test
  void pathsWhoseFilesStockHdfsPlacesAreNamed() throws IOException {
    Path inMemory = new Path("/in-memory/below");
    fs.mkdirs(inMemory);
    fs.setStoragePolicy(inMemory.getParent(), "LAZY_PERSIST");
    assertThat(notEnforced("/in-memory/below", "hybrid")).contains("storage_policy");
    Path coded = new Path("/coded/below");
    fs.mkdirs(coded);
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(coded.getParent(), "XOR-2-1-1024k");
    assertThat(notEnforced("/coded/below", "hybrid")).contains("erasure_coding");
    assertThat(notEnforced("/data", "hybrid")).doesNotContain("storage_policy", "erasure_coding");
  }

  @Test
  void aNameNodeThatMayNotBeAskedIsAFailureUnlessForced() throws Exception {
    Configuration closed = cluster.getConfiguration(1);
    closed.setBoolean("hadoop.security.authorization", true);
    closed.set("security.refresh.generic.protocol.acl", "nobody-at-all");
    cluster.restartNameNode(1);
    activate(1);
    try {
      CommandRun refused = run("policy", "set", "/data", "--placement", "hybrid");
      assertThat(refused.err()).contains("does not tell whether it runs the Tierwise plug-in");
      assertThat(refused.exitCode()).isEqualTo(3);
      assertThat(attributes()).isEmpty();
    } finally {
      closed.setBoolean("hadoop.security.authorization", false);
      cluster.restartNameNode(1);
    }
  }
}
