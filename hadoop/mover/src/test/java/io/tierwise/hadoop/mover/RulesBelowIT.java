package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Layouts of directories below which rules of the tier table name other placements. */
class RulesBelowIT {
  private static final String RULES =
      """
      rules:
        - {path: "/t/*/current/**", placement: hybrid}
        - {path: /ruled, placement: "layout:1 x disk"}
      """;

  private static LiveCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    Files.writeString(
        java.nio.file.Path.of(conf.get("tierwise.tiers.file")), RULES, StandardOpenOption.APPEND);
    cluster = LiveCluster.ofMixedNodes(conf, "/a");
    for (String file : new String[] {"/t/a/current/f", "/t/a/old/f", "/t/b/f", "/ruled/f"}) {
      cluster.fs().create(new Path(file), (short) 1).close();
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** An attribute of the directory would be stronger than the rule. */
  @Test
  void aRuleBelowIsNotOverruledUnasked() throws IOException {
    FileTiers tiers = new FileTiers(cluster.cluster());
    for (String path : new String[] {"/t", "/t/a"}) {
      assertThatThrownBy(() -> tiers.createFileTier(path, "ssd", 1))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("/t/a/current/f is under the rule for /t/*/current/** of ")
          .hasMessageContaining("name each by itself");
      assertThatThrownBy(() -> tiers.setRepPolicy(path, "1 x ssd"))
          .hasMessageContaining("is under the rule for");
    }
  }

  @Test
  void whatOneRuleOrNoneHoldsForIsChanged() throws IOException {
    FileTiers tiers = new FileTiers(cluster.cluster());
    assertThat(tiers.setRepPolicy("/t/a/current", "1 x ssd").files()).isOne();
    assertThat(tiers.createFileTier("/t/a/old", "ssd", 1).files()).isOne();
    assertThat(tiers.createFileTier("/t/b", "ssd", 1).files()).isOne();
    assertThat(tiers.createFileTier("/ruled", "ssd", 1).after())
        .isEqualTo("layout:1 x ssd + 1 x disk");
  }

  /** There no rule holds as it is. */
  @Test
  void belowAnAttributeRulesAreNothing() throws IOException {
    cluster.fs().create(new Path("/t/c/current/f"), (short) 1).close();
    cluster.setPolicy("/t/c", "layout:1 x disk");
    assertThat(new FileTiers(cluster.cluster()).createFileTier("/t/c", "ssd", 1).files()).isOne();
    cluster.fs().delete(new Path("/t/c"), true);
  }
}
