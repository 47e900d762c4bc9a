package io.tierwise.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of one run.
 *
 * @param name as messages name it
 * @param parts one file, or those of a rolled event log in their order
 * @param kind what is known of it before it is read
 */
public record HistoryLog(String name, List<HistoryFile> parts, Kind kind) {
  /** What is known of a log before it is read. */
  public enum Kind {
    /** Somebody asked for this file. */
    NAMED,
    /** Found in a folder, where files lie that are no history, too. */
    FOUND,
    /** A folder that Spark rolled a log in. */
    ROLLED
  }

  private static final String ROLLED_FOLDER = "eventlog_v2_";
  private static final String RUNNING = ".inprogress";
  private static final String COMPACTED = ".compact";
  private static final Pattern PART = Pattern.compile("(?s)(?:.*/)?events_(\\d{1,9})_[^/]*");

  /** Takes one log after the other. */
  @FunctionalInterface
  public interface Reader {
    void read(HistoryLog log) throws IOException;
  }

  /** A file that somebody asked for. */
  public static HistoryLog named(HistoryFile file) {
    return new HistoryLog(file.name(), List.of(file), Kind.NAMED);
  }

  /** A file of a folder. */
  public static HistoryLog found(HistoryFile file) {
    return new HistoryLog(file.name(), List.of(file), Kind.FOUND);
  }

  /** Whether a folder of that name is one event log that Spark rolled. */
  public static boolean isRolled(String folder) {
    return folder.startsWith(ROLLED_FOLDER);
  }

  /** The log that Spark rolled in a folder. */
  public static HistoryLog rolled(String folder, List<HistoryFile> files) {
    List<HistoryFile> parts = new ArrayList<>(files);
    parts.sort(Comparator.comparingLong(HistoryLog::index));
    return new HistoryLog(folder, List.copyOf(parts), Kind.ROLLED);
  }

  /** Whether the engine marks it as one of an application that still runs, or was killed. */
  public boolean unfinished() {
    return parts.stream().anyMatch(file -> file.name().endsWith(RUNNING));
  }

  /**
   * The files with events.
   *
   * @throws TraceException when one of them is missing, or had events taken out
   */
  public List<HistoryFile> wholeParts() throws TraceException {
    if (kind != Kind.ROLLED) {
      return parts;
    }
    List<HistoryFile> events = parts.stream().filter(file -> index(file) > 0).toList();
    for (HistoryFile part : events) {
      if (part.name().endsWith(COMPACTED)) {
        throw new BadRowException(
            part.name() + ": is compacted, tasks of finished jobs are gone from it");
      }
    }
    if (events.isEmpty() || index(events.get(events.size() - 1)) != events.size()) {
      throw new BadRowException(name + ": lacks files of the log, it has " + events.size());
    }
    return events;
  }

  /** The number of a part; 0 for another file, as the one that tells the application's state. */
  private static long index(HistoryFile file) {
    Matcher part = PART.matcher(file.name());
    return part.matches() ? Long.parseLong(part.group(1)) : 0;
  }
}
