package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.hadoop.inspect.health.Finding.Grade;
import io.tierwise.hadoop.inspect.health.NameNodeKeyChecks.Found;
import io.tierwise.hadoop.inspect.health.NameNodeKeyChecks.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameNodeKeyChecksTest {
  private static final Map<String, String> ORDERING =
      Map.of(
          "dfs.net.topology.impl",
          TierwiseTopology.class.getName(),
          TierwiseTopology.STRATEGY,
          "auto");

  private final Configuration conf = new Configuration(false);
  private final Map<String, String> nameNode = new HashMap<>();
  private boolean clientsAskForOrder;

  private static void put(Map<String, String> keys, PluginKeys.Plugin plugin) {
    keys.put(plugin.key(), plugin.className());
  }

  private Found found(HAServiceState state) throws IOException {
    return new NameNodeKeyChecks(conf, TierConfiguration.load(conf), clientsAskForOrder)
        .of("namenode", state, key -> Optional.ofNullable(nameNode.get(key)));
  }

  private void assertFound(Use use, Grade placement, Grade paths) throws IOException {
    Found found = found(HAServiceState.ACTIVE);
    assertThat(found.use()).isEqualTo(use);
    assertThat(found.findings()).extracting(Finding::grade).containsExactly(placement, paths);
  }

  @Test
  void whoOrdersReadsAloneMissesNothing() throws IOException {
    nameNode.putAll(ORDERING);
    put(nameNode, PluginKeys.PATHS);
    assertFound(Use.READS_ALONE, Grade.OK, Grade.OK);
    Found found = found(HAServiceState.ACTIVE);
    assertThat(found.running()).isTrue();
    assertThat(found.findings().get(0).finding())
        .isEqualTo("not used: placement by tier; dfs.block.replicator.classname is not set");
    assertThat(found(HAServiceState.OBSERVER)).isEqualTo(found);
  }

  @Test
  void withoutThePlugInLooksCountAsReads() throws IOException {
    nameNode.putAll(ORDERING);
    assertFound(Use.READS_ALONE, Grade.OK, Grade.WARNING);
    assertThat(found(HAServiceState.ACTIVE).running()).isFalse();
    assertThat(found(HAServiceState.ACTIVE).findings().get(1).finding()).contains("count as reads");
  }

  @Test
  void whereClientsOrderThemselvesTheNameNodeNeedsNothing() throws IOException {
    clientsAskForOrder = true;
    nameNode.put(PluginKeys.PLACEMENT.key(), "org.example.OfTheCluster");
    nameNode.put(PluginKeys.PATHS.key(), "");
    assertFound(Use.READS_ALONE, Grade.OK, Grade.OK);
    assertThat(found(HAServiceState.ACTIVE).findings())
        .extracting(Finding::finding)
        .containsExactly(
            "not used: placement by tier; dfs.block.replicator.classname is"
                + " org.example.OfTheCluster",
            "not used: path policies and counters; dfs.namenode.plugins is not set");
  }

  @Test
  void halfOfAPlacementIsAFailure() throws IOException {
    nameNode.putAll(ORDERING);
    put(nameNode, PluginKeys.PLACEMENT);
    assertFound(Use.INCOMPLETE, Grade.OK, Grade.FAILURE);
    put(nameNode, PluginKeys.PATHS);
    assertFound(Use.PLACEMENT, Grade.OK, Grade.OK);
  }

  @Test
  void theCommandsOwnKeyAsksForPlacement() throws IOException {
    nameNode.putAll(ORDERING);
    put(nameNode, PluginKeys.PATHS);
    conf.set(PluginKeys.PLACEMENT.key(), PluginKeys.PLACEMENT.className());
    assertFound(Use.INCOMPLETE, Grade.FAILURE, Grade.OK);
    assertThat(found(HAServiceState.OBSERVER).findings().get(0).grade()).isEqualTo(Grade.WARNING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rules: [{path: /hot, placement: hybrid}]",
        "limits: [{paths: [/tmp], tiers: [disk]}]",
        "byte-limits: [{path: /hot, tier: disk, bytes: 10 TB}]"
      })
  void aTierTableThatSaysWhereFilesGoAsksForPlacement(String asks, @TempDir Path folder)
      throws IOException {
    nameNode.putAll(ORDERING);
    put(nameNode, PluginKeys.PATHS);
    String disk = "tiers: [{name: disk, match: {storage-type: DISK}}]\n";
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), disk);
    conf.set("tierwise.tiers.file", tiers.toString());
    assertFound(Use.READS_ALONE, Grade.OK, Grade.OK);
    Files.writeString(tiers, disk + asks);
    assertFound(Use.INCOMPLETE, Grade.FAILURE, Grade.OK);
  }

  /** As on a cluster whose NameNodes were not restarted yet. */
  @Test
  void whereNothingOfOursIsSetBothAreMissing() throws IOException {
    assertFound(Use.INCOMPLETE, Grade.FAILURE, Grade.FAILURE);
    nameNode.put("dfs.net.topology.impl", TierwiseTopology.class.getName());
    assertFound(Use.INCOMPLETE, Grade.FAILURE, Grade.FAILURE);
  }
}
