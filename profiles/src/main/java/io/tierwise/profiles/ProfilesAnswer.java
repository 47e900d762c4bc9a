package io.tierwise.profiles;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Applications of a catalog, as a command or a daemon tells them. */
public record ProfilesAnswer(List<ProfileRow> applications) {
  /** Own: a table of all hosts of a large cluster hides the rest; JSON has them all. */
  private static final int HOSTS_SHOWN = 20;

  /** All in one table; of a single application whose hosts are known, its phases and hosts, too. */
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    tables.add(overview());
    for (ProfileRow row : applications) {
      if (row.hosts() != null) {
        tables.add(phases(row));
        if (!row.configurations().isEmpty()) {
          tables.add(configurations(row));
        }
        tables.add(hosts(row));
      }
    }
    return tables;
  }

  /** What the tables do not say. */
  public String legend() {
    boolean placed =
        applications.stream()
            .anyMatch(row -> row.configurations() != null && !row.configurations().isEmpty());
    return "Times and bytes are means over runs that succeeded; a run's time is from its first task"
        + " to its end. Spilled bytes go to local directories."
        + (placed
            ? " Runs of Config-2, -3 and -4, with data in the fast tier, count in their own rows"
                + " alone."
            : "");
  }

  /** What the tables have no column for, of a single application. */
  public List<String> remarks() {
    return applications.stream()
        .filter(row -> row.ioRequirement() != null)
        .flatMap(row -> row.ioRequirement().lines().stream())
        .toList();
  }

  private Table overview() {
    Table table =
        new Table()
            .text("application", "engine")
            .number("runs", "failed", "least input", "most input", "time")
            .text("last run")
            .keys(1);
    for (ProfileRow row : applications) {
      table.row(
          row.application(),
          row.engine(),
          row.runs(),
          row.failedRuns(),
          row.inputBytesMin() == null ? null : Words.bytes(row.inputBytesMin()),
          row.inputBytesMax() == null ? null : Words.bytes(row.inputBytesMax()),
          row.seconds() == null ? null : Words.duration(row.seconds()),
          row.lastRun().substring(0, 10));
    }
    return table;
  }

  private static Table phases(ProfileRow row) {
    Table table =
        new Table()
            .text("phase")
            .number("tasks", "time", "of tasks", "read", "written", "spilled", "shuffled")
            .keys(1);
    for (ProfileRow.PhaseRow phase : row.phases()) {
      table.row(
          phase.phase(),
          String.format(Locale.ROOT, "%,.0f", phase.tasks()),
          Words.duration(phase.seconds()),
          Words.duration(phase.taskSeconds()),
          Words.bytes(phase.readBytes()),
          Words.bytes(phase.writtenBytes()),
          Words.bytes(phase.spilledBytes()),
          Words.bytes(phase.shuffledBytes()));
    }
    return table;
  }

  private static Table configurations(ProfileRow row) {
    Table table =
        new Table()
            .text("configuration")
            .number("runs", "failed", "least input", "most input", "time");
    for (ProfileRow.ConfigurationRow each : row.configurations()) {
      table.row(
          "Config-" + each.configuration(),
          each.runs(),
          each.failedRuns(),
          each.inputBytesMin() == null ? null : Words.bytes(each.inputBytesMin()),
          each.inputBytesMax() == null ? null : Words.bytes(each.inputBytesMax()),
          each.seconds() == null ? null : Words.duration(each.seconds()));
    }
    return table;
  }

  private static Table hosts(ProfileRow row) {
    Table table = new Table().text("host").number("tasks");
    row.hosts().stream()
        .limit(HOSTS_SHOWN)
        .forEach(host -> table.row(host.host(), String.format(Locale.ROOT, "%,d", host.tasks())));
    return table;
  }
}
