package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.policies.access.AccessStrategies;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadOrderChecksTest {
  private static final Map<String, String> BY_AUTO =
      Map.of(
          "dfs.net.topology.impl",
          TierwiseTopology.class.getName(),
          "tierwise.namenode.access.strategy",
          "auto:link-megabytes-per-second=125");

  private static List<Finding> nameNode(String clientSpec, Map<String, String> set)
      throws IOException {
    return nameNode(clientSpec, set, true);
  }

  private static List<Finding> nameNode(
      String clientSpec, Map<String, String> set, boolean ordering) throws IOException {
    Configuration conf = new HdfsConfiguration();
    set.forEach(conf::set);
    return ReadOrderChecks.ofNameNode(
        "namenode", clientSpec, key -> Optional.ofNullable(conf.get(key)), ordering);
  }

  private static Findings client(String strategy, String... keysAndValues) {
    Configuration conf = new HdfsConfiguration();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    if (!strategy.isEmpty()) {
      conf.set("tierwise.access.strategy", strategy);
    }
    Findings findings = new Findings();
    new ClientChecks(conf, TierConfiguration.load(conf)).run(findings);
    return findings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hybrid", "dld", "greedy", "adaptive", "nbd:threshold=4"})
  void anotherOrderIsNamedWithTheReasonAndWhatToSet(String strategy) {
    assertThat(client(strategy).all())
        .anySatisfy(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.WARNING);
              assertThat(finding.finding())
                  .contains(AccessStrategies.parse(strategy).name(), "other clients");
              assertThat(finding.advice()).contains("tierwise.access.strategy to auto");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "auto", "network-aware"})
  void whatIsRecommendedAndWhatAsksForNothingIsOk(String strategy) {
    assertThat(client(strategy).all())
        .noneSatisfy(finding -> assertThat(finding.finding()).contains("other clients"));
  }

  @Test
  void aNameNodeThatCountsIsOkAndOneThatNobodyAsksForItIsNotMentioned() throws IOException {
    assertThat(nameNode("auto", BY_AUTO))
        .singleElement()
        .satisfies(finding -> assertThat(finding.grade()).isEqualTo(Finding.Grade.OK));
    assertThat(nameNode("", Map.of())).isEmpty();
    assertThat(nameNode("dld", Map.of())).isEmpty();
  }

  /** Without any other sign: reads go on, and are slower than they could be. */
  @ParameterizedTest
  @CsvSource({
    "dfs.client.read.prefetch.size, 1342177280, not for each block",
    "dfs.client.refresh.read-block-locations.ms, 30000, as a read",
  })
  void aKeyOfAClientThatTakesAPartOfItAwayIsNamed(String key, String value, String why) {
    assertThat(client("auto", key, value).all())
        .anySatisfy(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.WARNING);
              assertThat(finding.finding()).startsWith(key + " is " + value + ": ").contains(why);
            });
    for (Findings other : List.of(client("auto"), client("", key, value))) {
      assertThat(other.all()).noneMatch(finding -> finding.finding().contains(key));
    }
    assertThat(client("auto", key, key.endsWith("ms") ? "0" : "1").all())
        .noneMatch(finding -> finding.finding().contains(key));
  }

  @Test
  void aTopologyThatIsConfiguredAndNotUsedIsAFailureThatNamesTheKey() throws IOException {
    Map<String, String> keys = new HashMap<>(BY_AUTO);
    keys.put("dfs.use.dfs.network.topology", "false");
    assertThat(nameNode("auto", keys, false))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.FAILURE);
              assertThat(finding.finding()).startsWith("dfs.use.dfs.network.topology is false");
            });
  }

  @Test
  void keysThatBroughtNoOrderAreAFailure() throws IOException {
    assertThat(nameNode("auto", BY_AUTO, false))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.FAILURE);
              assertThat(finding.finding()).endsWith("orders them by distance");
              assertThat(finding.advice()).contains("tierwise.namenode.access.strategy");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "io.tierwise.hadoop.hdfs.topology.TierwiseTopology, '', by distance",
    "io.tierwise.hadoop.hdfs.topology.TierwiseTopology, dld, by dld",
    "org.apache.hadoop.hdfs.net.DFSNetworkTopology, auto, by distance"
  })
  void aNameNodeThatOrdersOtherwiseIsNamed(String topology, String strategy, String order)
      throws IOException {
    Map<String, String> keys =
        Map.of("dfs.net.topology.impl", topology, "tierwise.namenode.access.strategy", strategy);
    assertThat(nameNode("auto", keys))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.WARNING);
              assertThat(finding.finding()).endsWith(order);
              assertThat(finding.advice()).contains("auto:link-megabytes-per-second=N");
            });
  }
}
