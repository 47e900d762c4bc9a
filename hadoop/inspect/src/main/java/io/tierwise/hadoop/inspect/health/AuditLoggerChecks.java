package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Whether a NameNode that counts accesses still writes Hadoop's own audit log. */
final class AuditLoggerChecks {
  static final String KEY = "dfs.namenode.audit.loggers";

  /** Two names of one logger. */
  private static final List<String> HADOOPS =
      List.of(
          "default", "org.apache.hadoop.hdfs.server.namenode.FSNamesystem$FSNamesystemAuditLogger");

  private AuditLoggerChecks() {}

  static Optional<Finding> of(String where, LoadKeyChecks.Keys keys) throws IOException {
    List<String> loggers =
        Arrays.stream(keys.configured(KEY).orElse("").split(",", -1)).map(String::strip).toList();
    if (!loggers.contains(TierwiseAuditLogger.class.getName())) {
      return Optional.empty();
    }
    if (loggers.stream().noneMatch(HADOOPS::contains)) {
      return Optional.of(
          Finding.warning(
              where,
              KEY + " lists Tierwise's logger without default: HDFS writes no audit log any more",
              "set it to default," + TierwiseAuditLogger.class.getName()));
    }
    return Optional.of(Finding.ok(where, "counts accesses, and writes Hadoop's audit log, too"));
  }
}
