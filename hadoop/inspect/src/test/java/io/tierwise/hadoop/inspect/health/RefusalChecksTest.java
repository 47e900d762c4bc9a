package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What runs in DataNodes counts, not what their configuration asks for. */
class RefusalChecksTest {
  private static final RefusalChecks.Node LIMITS = new RefusalChecks.Node(true, true, true, "");
  private static final RefusalChecks.Node IDLE = new RefusalChecks.Node(true, true, false, "");
  private static final RefusalChecks.Node SILENT = new RefusalChecks.Node(true, false, false, "");
  private static final RefusalChecks.Node STOCK = new RefusalChecks.Node(false, false, false, "");

  private static List<Finding> findings(
      boolean needed, RefusalChecks.Node first, RefusalChecks.Node second) {
    Findings findings = new Findings();
    new RefusalChecks(Map.of("a:1", first, "b:1", second), findings).run(needed);
    return findings.all();
  }

  private static void assertOnly(List<Finding> findings, Finding.Grade grade, String text) {
    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(grade);
              assertThat(finding.finding()).contains(text);
            });
  }

  @Test
  void nodesThatLimitAreOk() {
    assertOnly(findings(true, LIMITS, LIMITS), Finding.Grade.OK, "refusing reads");
  }

  @Test
  void nodesWithoutALimitAreNoHelpToAStrategyThatNeedsOne() {
    assertOnly(findings(false, IDLE, IDLE), Finding.Grade.OK, "no read is refused");
    assertOnly(findings(true, IDLE, IDLE), Finding.Grade.WARNING, "a:1, b:1 refuse no reads");
    assertOnly(findings(false, LIMITS, IDLE), Finding.Grade.WARNING, "b:1 refuse no reads");
  }

  @Test
  void aNodeWhosePlugInIsConfiguredAndDoesNotRunIsAFailure() {
    for (boolean needed : new boolean[] {true, false}) {
      assertOnly(
          findings(needed, LIMITS, SILENT),
          Finding.Grade.FAILURE,
          "is configured but does not run on b:1");
    }
  }

  @Test
  void stockNodesAreOfConcernOnlyWhereAStrategyNeedsOthers() {
    assertThat(findings(false, STOCK, STOCK)).isEmpty();
    assertOnly(findings(true, LIMITS, STOCK), Finding.Grade.WARNING, "is not ours on b:1");
  }

  @Test
  void aWrongKeyIsNamed() {
    assertOnly(
        findings(true, LIMITS, new RefusalChecks.Node(true, true, false, "key x is \"lots\"")),
        Finding.Grade.FAILURE,
        "b:1 limit no reads: key x is");
  }

  @ParameterizedTest
  @CsvSource({
    "sbd,true",
    "nbd,true",
    "sbd:threshold=4,true",
    "' nbd:threshold=2',true",
    "auto,false"
  })
  void strategiesWithSettingsNeedRefusalsToo(String spec, boolean needed) {
    Configuration conf = new Configuration(false);
    conf.set(ClientChecks.STRATEGY, spec);
    TierConfiguration tiers = TierConfiguration.byStorageType();
    assertThat(new ClientChecks(conf, tiers).needsRefusals()).isEqualTo(needed);
    TierConfiguration rules =
        TierConfiguration.parse(
            "tiers: [{name: disk, match: {storage-type: DISK}}]\n"
                + "rules: [{path: /a, access: '"
                + spec.strip()
                + "'}]\n",
            "rules.yaml");
    assertThat(new ClientChecks(new Configuration(false), rules).needsRefusals()).isEqualTo(needed);
  }
}
