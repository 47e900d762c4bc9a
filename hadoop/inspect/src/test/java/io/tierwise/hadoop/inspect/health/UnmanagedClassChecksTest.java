package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceRackFaultTolerantBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.junit.jupiter.api.Test;

/** The placement class that the cluster had, with keys that work against it. */
class UnmanagedClassChecksTest {
  private static List<Finding> findings(Class<?> unmanaged, Map<String, String> more)
      throws IOException {
    Configuration conf = new HdfsConfiguration();
    Map<String, String> keys = new HashMap<>(more);
    keys.put(UnmanagedClassChecks.CLASS, unmanaged.getName());
    keys.forEach(conf::set);
    return findings(conf, unmanaged.getName());
  }

  private static List<Finding> findings(Configuration conf, String used) throws IOException {
    return UnmanagedClassChecks.of("namenode", key -> Optional.ofNullable(conf.get(key)), used);
  }

  @Test
  void aClassThatCannotBeUsedIsAFailureWithKeyAndValue() throws IOException {
    String hadoops = "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault";
    for (String wrong :
        List.of(
            BlockPlacementPolicyWithUpgradeDomain.class.getName() + "s",
            "x.AvailableSpaceBlockPlacementPolicy",
            "io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy")) {
      Configuration conf = new HdfsConfiguration();
      conf.set(UnmanagedClassChecks.CLASS, wrong);
      assertThat(findings(conf, hadoops))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.grade()).isEqualTo(Finding.Grade.FAILURE);
                assertThat(finding.finding())
                    .contains(UnmanagedClassChecks.CLASS + " is " + wrong)
                    .endsWith("placed by " + hadoops);
              });
      assertThat(findings(conf, wrong).stream().map(Finding::grade))
          .doesNotContain(Finding.Grade.FAILURE);
    }
    assertThat(findings(new HdfsConfiguration(), hadoops)).isEmpty();
  }

  @Test
  void upgradeDomainsNeedTheHostsFileThatNamesThem() throws IOException {
    assertThat(findings(BlockPlacementPolicyWithUpgradeDomain.class, Map.of()))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.finding()).contains(UnmanagedClassChecks.HOSTS, "no node has"));
    assertThat(
            findings(
                BlockPlacementPolicyWithUpgradeDomain.class,
                Map.of(UnmanagedClassChecks.HOSTS, CombinedHostFileManager.class.getName())))
        .isEmpty();
  }

  @Test
  void aPreferenceThatFillsTheFullIsNamedForBothClasses() throws IOException {
    String key =
        "dfs.namenode.available-space-block-placement-policy"
            + ".balanced-space-preference-fraction";
    String tolerantKey = key.replace("space-block", "space-rack-fault-tolerant-block");
    assertThat(findings(AvailableSpaceBlockPlacementPolicy.class, Map.of())).isEmpty();
    for (String wrong : List.of("0.4", "1.1")) {
      assertThat(findings(AvailableSpaceBlockPlacementPolicy.class, Map.of(key, wrong)))
          .singleElement()
          .satisfies(
              finding -> assertThat(finding.finding()).startsWith(key + " is " + wrong + ": "));
      assertThat(
              findings(
                  AvailableSpaceRackFaultTolerantBlockPlacementPolicy.class,
                  Map.of(tolerantKey, wrong)))
          .hasSize(1);
      assertThat(
              findings(
                  AvailableSpaceRackFaultTolerantBlockPlacementPolicy.class, Map.of(key, wrong)))
          .isEmpty();
    }
  }

  private static List<Finding> ofNodes(int wanted, String... domains) {
    List<DatanodeInfo> live = new ArrayList<>();
    for (String domain : domains) {
      live.add(
          new DatanodeInfoBuilder()
              .setHostName("host" + live.size())
              .setXferPort(9866)
              .setUpgradeDomain(domain)
              .build());
    }
    Findings findings = new Findings();
    new DomainChecks(findings).run(live.toArray(DatanodeInfo[]::new), wanted);
    return findings.all();
  }

  @Test
  void nodesWithoutADomainAreNamedAndTooFewDomainsCounted() {
    assertThat(ofNodes(3, "a", "b", "c", "c")).isEmpty();
    assertThat(ofNodes(0, "a", null)).isEmpty();
    assertThat(ofNodes(3, "a", null, "b").get(0).finding())
        .isEqualTo("no upgrade domain: host1:9866");
    assertThat(ofNodes(3, "a", "b", "a").get(0).finding())
        .isEqualTo("2 upgrade domains, and dfs.namenode.upgrade.domain.factor is 3");
  }
}
