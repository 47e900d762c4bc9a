package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadKeyChecksTest {
  private static List<Finding> findings(Map<String, String> set) throws IOException {
    Configuration conf = new HdfsConfiguration();
    set.forEach(conf::set);
    return LoadKeyChecks.of("namenode", key -> Optional.ofNullable(conf.get(key)));
  }

  @Test
  void hadoopsOwnDefaultsWorkAgainstNoTier() throws IOException {
    assertThat(findings(Map.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.namenode.redundancy.considerLoad.factor, 0.9",
    "tierwise.namenode.load.floor-transfers, 0",
    "tierwise.namenode.load.floor-transfers, 16k",
    "dfs.namenode.block-placement-policy.min-blocks-for-write, 5",
    "dfs.storage.policy.satisfier.mode, external"
  })
  void aKeyThatWorksAgainstATierIsNamedWithItsValue(String key, String value) throws IOException {
    assertThat(findings(Map.of(key, value)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.WARNING);
              assertThat(finding.finding()).startsWith(key + " is " + value);
              assertThat(finding.advice()).isNotEmpty();
            });
  }

  @Test
  void theFactorIsOfNoConcernWhereLoadIsNotConsidered() throws IOException {
    assertThat(
            findings(
                Map.of(
                    "dfs.namenode.redundancy.considerLoad", "false",
                    "dfs.namenode.redundancy.considerLoad.factor", "0.5")))
        .isEmpty();
  }
}
