package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.mover.journal.RunSummary;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what of an audit log counts; mixed into every command that reads one. */
public final class AuditLogOptions {
  private static final List<String> NAMES = List.of("--since", "--zone", "--files");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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

  /**
   * Refuses these options, which would change nothing, where no log is read.
   *
   * @param others options of the command that are about a log, too
   * @param instead what is read, for the message
   */
  public void requireNone(List<String> others, String instead) {
    Stream.concat(others.stream(), NAMES.stream())
        .filter(name -> spec.commandLine().getParseResult().hasMatchedOption(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw OperatorException.badInput(name + " is for --audit-log: " + instead);
            });
  }

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
