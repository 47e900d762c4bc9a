package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tiers list} shows the tiers that the active NameNode decides by, and says so when it
 * cannot. Of two NameNodes the first runs the plug-in, the second runs none.
 */
class TiersListIT {
  private static final String IN_FORCE =
      """
      tiers:
        - {name: pcie-ssd, match: {storage-type: SSD}}
        - {name: disk, match: {storage-type: DISK}}
      """;

  @TempDir static Path folder;
  private static MiniDFSCluster cluster;
  private static Path confDirectory;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(2)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    Configuration first = cluster.getConfiguration(0);
    first.set("tierwise.tiers.file", tiers("namenode.yaml", IN_FORCE).toString());
    first.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    first.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    cluster.restartNameNode(0);
    Configuration client = new Configuration(false);
    HATestUtil.setFailoverConfigurations(
        cluster, client, "pair", 0, ConfiguredFailoverProxyProvider.class);
    confDirectory = Files.createDirectories(folder.resolve("conf"));
    try (OutputStream site = Files.newOutputStream(confDirectory.resolve("core-site.xml"))) {
      client.writeXml(site);
    }
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private static Path tiers(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static void activate(int nameNode) throws IOException {
    if (!cluster.getNameNode(nameNode).isActiveState()) {
      cluster.transitionToStandby(1 - nameNode);
      cluster.transitionToActive(nameNode);
    }
    cluster.waitActive(nameNode);
  }

  private static CommandRun list(Path tierFile, String... options) {
    return run("tiers list", tierFile, options);
  }

  private static CommandRun run(String command, Path tierFile, String... options) {
    List<String> all = new ArrayList<>(List.of(command.split(" ")));
    all.addAll(List.of("--conf", confDirectory.toString()));
    all.addAll(List.of("-D", "tierwise.tiers.file=" + tierFile));
    all.addAll(List.of(options));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private static String answer(Path tierFile, String... options) {
    CommandRun run = list(tierFile, options);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().allMatch(line -> line.length() <= 80)).as(run.out()).isTrue();
    return run.out().replaceAll("\\s+", " ");
  }

  private static JsonNode json(Path tierFile) throws IOException {
    CommandRun run = list(tierFile, "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void theTiersAreTheNameNodesAndNotThoseOfTheFileHere() throws IOException {
    activate(0);
    Path other = tiers("other.yaml", IN_FORCE.replace("pcie-ssd", "nvme"));
    for (String[] options : new String[][] {{}, {"--volumes"}}) {
      assertThat(answer(other, options))
          .contains("pcie-ssd")
          .doesNotContain("nvme")
          .contains("namenode.yaml of the NameNode, which differs from the one here");
    }
    JsonNode json = json(other);
    assertThat(json.path("tiers").findValuesAsText("name")).containsExactly("pcie-ssd", "disk");
    assertThat(json.path("volumes").findValuesAsText("tier"))
        .containsExactly("pcie-ssd", "pcie-ssd", "disk", "disk");
    assertThat(json.path("tier_table").asText())
        .endsWith("namenode.yaml of the NameNode, which differs from the one here");
  }

  @Test
  void theSameTableOnBothSidesIsSaidToBeTheSame() throws IOException {
    activate(0);
    assertThat(answer(tiers("same.yaml", IN_FORCE)))
        .contains("namenode.yaml of the NameNode, the same as here");
  }

  @Test
  void aNameNodeWithoutThePluginIsSaidAndTheFileHereCounts() throws IOException {
    activate(1);
    Path here = tiers("here.yaml", IN_FORCE.replace("pcie-ssd", "nvme"));
    String why =
        "here.yaml of this command: the NameNode "
            + cluster.getNameNode(1).getNameNodeAddressHostPortString()
            + " runs without the plug-in";
    assertThat(answer(here)).contains("nvme", why);
    assertThat(json(here).path("tier_table").asText()).endsWith(why);
  }

  @Tag("long")
  @Test
  void aNameNodeThatMayNotBeAskedIsSaidAndTheFileHereCounts() throws IOException {
    Configuration closed = cluster.getConfiguration(1);
    closed.setBoolean("hadoop.security.authorization", true);
    closed.set("security.refresh.generic.protocol.acl", "nobody-at-all");
    cluster.restartNameNode(1);
    activate(1);
    try {
      Path here = tiers("here.yaml", IN_FORCE);
      // Uses up the connection of this process that the restart broke: the next one is new.
      list(here);
      assertThat(answer(here))
          .contains("pcie-ssd", "here.yaml of this command: the NameNode ")
          .contains(" does not tell its own: ")
          .contains("not authorized");
    } finally {
      closed.setBoolean("hadoop.security.authorization", false);
      cluster.restartNameNode(1);
    }
  }

  @Test
  void aTierTableThatMatchesNothingIsRefused() throws IOException {
    activate(1);
    Path wrong = tiers("none.yaml", "tiers: [{name: tape, match: {storage-type: ARCHIVE}}]");
    CommandRun run = list(wrong);
    assertThat(run.err()).contains("none.yaml matches no volume").hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void twoTiersThatMatchOneVolumeAreNamed() throws IOException {
    activate(1);
    Path wrong =
        tiers(
            "two.yaml",
            "tiers: [{name: a, match: {storage-type: SSD}}, {name: b, match: {racks: [/*]}}]");
    CommandRun run = list(wrong);
    assertThat(run.err()).contains("is matched by the tiers [a, b]").contains("two.yaml");
    assertThat(run.exitCode()).isEqualTo(2);

    CommandRun captured = run("capture", wrong);
    assertThat(captured.exitCode()).as(captured.err()).isZero();
    // Comments of a scenario are folded.
    assertThat(captured.out().replaceAll("\n#? *", " "))
        .containsPattern("2 volumes, such as volume DS-\\S+ on \\S+, counted to a: ")
        .contains("matched by the tiers [a, b]: narrow one of their matches in ");
  }

  @Test
  void aVolumeOfNoTierHasNullForItsTier() throws IOException {
    activate(1);
    Path ssdOnly = tiers("ssd.yaml", "tiers: [{name: ssd, match: {storage-type: SSD}}]");
    assertThat(list(ssdOnly, "--json").out())
        .contains("\"tier\" : null")
        .contains("\"matching_tiers\" : [ ]");
    assertThat(list(ssdOnly).out().lines().findFirst().orElseThrow())
        .containsSubsequence("ssd", "-");
  }
}
