package io.tierwise.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The bench where the plug-ins are installed and the root is under policies: rows say what is. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DfsioLabelsIT {
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");
  private static final String AUTO = "auto:link-megabytes-per-second=1250";

  @TempDir private static Path directory;
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    extra.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    EmbeddedPlan nodes = new EmbeddedPlan(3, 1, 0, 1, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);
    cluster = EmbeddedCluster.start(nodes, extra, directory.resolve("cluster"));
    setOnRoot("user.tierwise.placement", "layout:1 x pcie-ssd + 1 x disk");
    setOnRoot("user.tierwise.access", "balanced:50");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void setOnRoot(String attribute, String value) throws IOException {
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      client.setXAttr(ROOT, attribute, value.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static CommandRun dfsio(String... more) {
    List<String> words =
        new ArrayList<>(List.of("bench", "dfsio", "--json", "--fs", cluster.uri().toString()));
    words.addAll(List.of("--files", "8", "--file-size", "512k", "--block-size", "64k"));
    Map.of(
            "dfs.namenode.http-address",
            cluster.configuration().get("dfs.namenode.http-address"),
            "tierwise.access.from-attribute.enabled",
            "true")
        .forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  private static JsonNode rows(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out()).path("rows");
  }

  @Test
  @Order(1)
  void stockIsPlacedByHdfsWhateverStandsAbove() throws Exception {
    JsonNode row = rows(dfsio("--replication", "2")).path(0);

    assertThat(row.path("share_pcie_ssd").asDouble()).as(row.toString()).isZero();
    assertThat(row.path("access").asText()).isEqualTo("stock");
  }

  /** By the directory above half of it would come from disks. */
  @Test
  @Order(1)
  void aStrategyIsThatOfItsRow() throws Exception {
    JsonNode row =
        rows(dfsio(
                "--placement",
                "layout:1 x pcie-ssd + 1 x disk",
                "--replication",
                "2",
                "--access",
                "greedy"))
            .path(0);
    assertThat(row.path("share_pcie_ssd").asDouble()).as(row.toString()).isEqualTo(1);
  }

  @Test
  @Order(1)
  void autoIsNotMeasuredWhereTheNameNodeOrdersByDistance() {
    CommandRun run = dfsio("--access", "stock", "--access", "auto");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().strip().lines())
        .singleElement()
        .asString()
        .contains("auto keeps the order of the NameNode, which lists replicas by distance");
  }

  /** The other order of both: a NameNode that orders, and clients that keep what it says. */
  @Test
  @Order(2)
  void aRowOfTheNameNodesOrderHasItsName() throws Exception {
    cluster.restartNameNode(
        Map.of(
            DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY,
            TierwiseTopology.class.getName(),
            TierwiseTopology.STRATEGY,
            AUTO));
    // This process has connections of the NameNode before, and learns of it by its next call.
    dfsio("--access", "stock");

    JsonNode rows = rows(dfsio("--access", "stock", "--access", "auto", "--access", "dld"));

    assertThat(rows)
        .extracting(row -> row.path("access").asText())
        .containsExactly("stock client, NameNode's " + AUTO, "auto", "dld");
  }

  @Test
  @Order(3)
  void whatCannotBeAskedIsSaid() throws Exception {
    String nobody = "dfs.namenode.http-address=127.0.0.1:1";
    CommandRun stock = dfsio("-D", nobody);
    assertThat(rows(stock).path(0).path("access").asText()).isEqualTo("stock client");
    assertThat(stock.err()).contains("the order in which the NameNode lists replicas", "not known");

    CommandRun auto = dfsio("--access", "auto", "-D", nobody);
    assertThat(auto.exitCode()).isEqualTo(3);
    assertThat(auto.err()).contains("which is not known", "port 1 does not tell");
  }
}
