package io.tierwise.cli.heat;

import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.mover.journal.RunSummary;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Option;

/** Says what of an audit log counts; mixed into every command that reads one. */
public final class AuditLogOptions {
  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only accesses from then on, in UTC: 2026-01-31, or 2026-01-31T12:00:00Z.")
  private String since;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "Time zone of the log's times, such as Europe/Berlin (default: UTC).")
  private ZoneId zone;

  @Option(
      names = "--files",
      paramLabel = "COUNT",
      defaultValue = "1000000",
      description = "Files that are counted exactly, 250 bytes each (default: ${DEFAULT-VALUE}).")
  private int filesMax;

  /** The time zone of times in logs. */
  public ZoneId zone() {
    return zone;
  }

  /**
   * How a log is to be read.
   *
   * @param endless while it grows
   */
  public LogHeat.Wish wish(List<Path> files, long windowMillis, boolean endless) {
    return new LogHeat.Wish(
        files,
        zone,
        windowMillis,
        since == null ? null : RunSummary.time(since, "--since"),
        filesMax,
        endless);
  }
}
