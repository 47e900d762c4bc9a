package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditLoggerChecksTest {
  private static final String OURS = "io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger";

  private static Optional<Finding> finding(String loggers) throws IOException {
    return AuditLoggerChecks.of(
        "namenode",
        key -> key.equals("dfs.namenode.audit.loggers") ? Optional.ofNullable(loggers) : null);
  }

  @Test
  void saysNothingWhereAccessesAreNotCounted() throws IOException {
    assertThat(finding(null)).isEmpty();
    assertThat(finding("default")).isEmpty();
    assertThat(finding("com.example.Other")).isEmpty();
  }

  @Test
  void warnsWhereHadoopsOwnLogIsGone() throws IOException {
    for (String loggers : new String[] {OURS, " com.example.Other , " + OURS}) {
      assertThat(finding(loggers).orElseThrow().grade()).isEqualTo(Finding.Grade.WARNING);
      assertThat(finding(loggers).orElseThrow().advice()).isEqualTo("set it to default," + OURS);
    }
  }

  @Test
  void isContentWithBoth() throws IOException {
    String hadoops = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem$FSNamesystemAuditLogger";
    for (String loggers :
        new String[] {"default," + OURS, OURS + ", default", hadoops + "," + OURS}) {
      assertThat(finding(loggers).orElseThrow().grade()).isEqualTo(Finding.Grade.OK);
    }
  }
}
