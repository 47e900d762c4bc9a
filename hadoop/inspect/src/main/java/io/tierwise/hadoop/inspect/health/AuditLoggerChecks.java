package io.tierwise.hadoop.inspect.health;

import com.fasterxml.jackson.databind.JsonNode;
import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether a NameNode that shall count accesses does, and still has Hadoop's own audit logger. */
final class AuditLoggerChecks {
  static final String KEY = "dfs.namenode.audit.loggers";
  static final String BEAN = "TierwiseAccessFeed";

  /** Two names of one logger. */
  private static final List<String> HADOOPS =
      List.of(
          "default", "org.apache.hadoop.hdfs.server.namenode.FSNamesystem$FSNamesystemAuditLogger");

  private AuditLoggerChecks() {}

  /**
   * @param bean of the logger that runs; empty when none does
   */
  static List<Finding> of(String where, LoadKeyChecks.Keys keys, Optional<JsonNode> bean)
      throws IOException {
    List<String> loggers =
        Arrays.stream(keys.configured(KEY).orElse("").split(",", -1)).map(String::strip).toList();
    if (!loggers.contains(TierwiseAuditLogger.class.getName())) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(
        bean.isPresent()
            ? Finding.ok(
                where,
                String.format(
                    Locale.ROOT,
                    "counts accesses: %,d since it started",
                    bean.get().path("Events").asLong()))
            : Finding.failure(
                where,
                KEY + " lists Tierwise's logger, and it does not run: no access is counted",
                "its log says why, in a line with \"Tierwise\"; then restart it"));
    if (loggers.stream().noneMatch(HADOOPS::contains)) {
      findings.add(
          Finding.warning(
              where,
              KEY + " lists Tierwise's logger without default: HDFS writes no audit log any more",
              "set it to default," + TierwiseAuditLogger.class.getName()));
    } else {
      findings.add(
          Finding.ok(
              where,
              "has Hadoop's own audit logger, too; whether it writes a file is not seen from here:"
                  + " by Hadoop's default it does not, and HDFS_AUDIT_LOGGER says so"));
    }
    return findings;
  }
}
