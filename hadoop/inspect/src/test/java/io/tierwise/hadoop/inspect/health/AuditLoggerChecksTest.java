package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditLoggerChecksTest {
  private static final String OURS = "io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger";

  private static List<Finding> findings(String loggers, boolean runs) throws IOException {
    JsonNode bean = new ObjectMapper().createObjectNode().put("Events", 12);
    return AuditLoggerChecks.of(
        "namenode",
        key -> key.equals("dfs.namenode.audit.loggers") ? Optional.ofNullable(loggers) : null,
        runs ? Optional.of(bean) : Optional.empty());
  }

  @Test
  void saysNothingWhereAccessesAreNotCounted() throws IOException {
    for (boolean runs : new boolean[] {true, false}) {
      assertThat(findings(null, runs)).isEmpty();
      assertThat(findings("default", runs)).isEmpty();
      assertThat(findings("com.example.Other", runs)).isEmpty();
    }
  }

  @Test
  void warnsWhereHadoopsOwnLogIsGone() throws IOException {
    for (String loggers : new String[] {OURS, " com.example.Other , " + OURS}) {
      assertThat(findings(loggers, true))
          .extracting(Finding::grade)
          .containsExactly(Finding.Grade.OK, Finding.Grade.WARNING);
      assertThat(findings(loggers, true).get(1).advice()).isEqualTo("set it to default," + OURS);
    }
  }

  /** That the list names Hadoop's logger does not say that its appender writes a file. */
  @Test
  void isContentWithBothAndClaimsNoFile() throws IOException {
    String hadoops = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem$FSNamesystemAuditLogger";
    for (String loggers :
        new String[] {"default," + OURS, OURS + ", default", hadoops + "," + OURS}) {
      assertThat(findings(loggers, true))
          .allMatch(finding -> finding.grade() == Finding.Grade.OK)
          .extracting(Finding::finding)
          .satisfiesExactly(
              counts -> assertThat(counts).contains("counts accesses: 12 since it started"),
              log -> assertThat(log).contains("whether it writes a file is not seen from here"));
    }
  }

  @Test
  void aLoggerThatIsListedAndDoesNotRunIsAFailure() throws IOException {
    assertThat(findings("default," + OURS, false).get(0))
        .satisfies(
            finding -> {
              assertThat(finding.grade()).isEqualTo(Finding.Grade.FAILURE);
              assertThat(finding.finding()).contains("does not run: no access is counted");
            });
  }
}
