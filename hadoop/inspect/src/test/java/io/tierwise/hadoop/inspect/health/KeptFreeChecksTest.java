package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KeptFreeChecksTest {
  private static List<Finding> compare(Map<String, Long> keptByNode, long nameNode) {
    Findings findings = new Findings();
    new KeptFreeChecks(keptByNode, findings).compare(OptionalLong.of(nameNode));
    return findings.all();
  }

  @Test
  void nodesThatKeepWhatTheNameNodeCountsWithAreOfNoConcern() {
    assertThat(compare(Map.of("a", 1L << 30, "b", 1L << 30), 1L << 30)).isEmpty();
  }

  @Test
  void nodesThatKeepLessAreNamedWithWhatTheyKeep() {
    assertThat(compare(Map.of("a", 1L << 20, "b", 1L << 20), 1L << 30))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.WARNING);
              assertThat(finding.finding()).contains("a, b", "1.0 MiB", "1.0 GiB");
              assertThat(finding.advice()).contains(KeptFree.KEY + " to " + (1L << 20));
            });
  }

  /** One value for all NameNodes would be wrong for one of these nodes. */
  @Test
  void nodesThatDifferAmongThemselvesAreNotToldOneOfTheirValues() {
    assertThat(compare(Map.of("a", 1L << 20, "b", 2L << 20), 1L << 30))
        .hasSize(2)
        .allSatisfy(finding -> assertThat(finding.advice()).contains("one value of"));
  }

  @Test
  void nodesThatKeepMoreFail() {
    assertThat(compare(Map.of("a", 2L << 30), 1L << 30))
        .singleElement()
        .satisfies(finding -> assertThat(finding.grade()).isEqualTo(Finding.Grade.FAILURE));
  }
}
