package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.AccessSink;
import io.tierwise.core.use.PathBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * The audit logs of a cluster's NameNodes as one history: their lines in the order of their times.
 *
 * <p>After a failover another NameNode writes lines, and an observer writes those of its own reads:
 * only all logs together tell how often a file was read. What is there already is merged exactly;
 * of lines that come later one may be late by a poll.
 */
public final class NameNodeLogs implements Closeable {
  /** Own: as {@link ObservedTime} has it, logs that are silent for a day were not written. */
  private static final long SILENCE_MILLIS_MAX = 86_400_000;

  /** Own: a daemon or a plan makes lines itself, and shipping a log may take some minutes. */
  private static final long LATE_MILLIS_MAX = 600_000;

  private final List<LogSource> sources = new ArrayList<>();
  private final AccessMerge merge = new AccessMerge(this::accessed);
  private final AccessSink sink;
  private final HeardLog all = HeardLog.ofAll(SILENCE_MILLIS_MAX);

  /**
   * One NameNode's log.
   *
   * @param file that it writes
   * @param rotated earlier files of it, in any order
   */
  public record Source(Path file, List<Path> rotated) {
    public Source {
      rotated = List.copyOf(rotated);
    }

    /**
     * Logs with their earlier files. Where there are several, an earlier file is of the log in
     * whose directory it is and with whose name its own begins.
     *
     * @throws OperatorException when a log is given twice, as an earlier file of its own, too, or
     *     nobody knows whose a file is
     */
    public static List<Source> of(List<Path> files, List<Path> rotated) {
      if (files.stream().map(Source::plain).distinct().count() < files.size()) {
        throw OperatorException.badInput("a log is given twice: name each NameNode's once");
      }
      List<List<Path>> earlier = new ArrayList<>();
      files.forEach(file -> earlier.add(new ArrayList<>()));
      for (Path each : rotated) {
        if (files.stream().map(Source::plain).anyMatch(plain(each)::equals)) {
          // As a shell's pattern names it among the earlier ones.
          throw OperatorException.badInput(
              "--rotated "
                  + each
                  + " is the log that grows, and its reads would count twice: name its earlier"
                  + " files alone, as "
                  + each
                  + ".*");
        }
        earlier.get(files.size() == 1 ? 0 : owner(files, each)).add(each);
      }
      List<Source> sources = new ArrayList<>();
      for (int i = 0; i < files.size(); i++) {
        sources.add(new Source(files.get(i), earlier.get(i)));
      }
      return sources;
    }

    private static int owner(List<Path> files, Path rotated) {
      int owner = -1;
      for (int i = 0; i < files.size(); i++) {
        String name = name(files.get(i));
        boolean fits =
            plain(files.get(i)).resolveSibling(name(rotated)).equals(plain(rotated))
                && name(rotated).startsWith(name);
        if (fits && (owner < 0 || name.length() > name(files.get(owner)).length())) {
          owner = i;
        }
      }
      if (owner < 0) {
        throw OperatorException.badInput(
            rotated
                + " is an earlier file of none of the logs, as far as names tell: it has to be in"
                + " the directory of its log, and to begin with that one's name");
      }
      return owner;
    }

    private static Path plain(Path file) {
      return file.toAbsolutePath().normalize();
    }

    private static String name(Path file) {
      return String.valueOf(file.getFileName());
    }
  }

  /**
   * The time that logs cover without a gap.
   *
   * @param any whether there is such a time
   * @param lastMillis the latest time of a line
   * @param why it did not begin earlier, for people
   */
  public record Covered(boolean any, long sinceMillis, long lastMillis, String why) {
    /** The part of it that reaches to now, by the clock. */
    public Heard until(long nowMillis) {
      if (!any) {
        return new Heard(0, why);
      }
      if (Math.abs(nowMillis - lastMillis) > LATE_MILLIS_MAX) {
        return new Heard(
            0,
            "by its latest line, of "
                + HeardLog.time(lastMillis)
                + ", the log is not written now: look at --zone, and whether the file grows");
      }
      return new Heard(Math.max(0, nowMillis - sinceMillis) / 1e3, why);
    }
  }

  /**
   * For how long all logs have been heard without a gap.
   *
   * @param why not for longer, for people
   */
  public record Heard(double seconds, String why) {}

  /**
   * Reads nothing yet.
   *
   * @param zone that all NameNodes write times in
   * @throws OperatorException when an earlier file is not there
   */
  NameNodeLogs(List<Source> logs, ZoneId zone, AccessSink sink) throws IOException {
    this.sink = sink;
    for (Source each : logs) {
      sources.add(merge.add(Long.MIN_VALUE, into -> new LogSource(each, zone, into)));
    }
  }

  private void accessed(
      long time, AccessKind kind, PathBytes path, PathBytes destination, long reader) {
    all.at(time);
    sink.accessed(time, kind, path, destination, reader);
  }

  /**
   * Looks whether all logs can be read now.
   *
   * @throws OperatorException when one cannot
   */
  void requireFiles() throws IOException {
    for (LogSource each : sources) {
      each.requireFile();
    }
  }

  /** Reads what was written since the last time: all of it at first. */
  public void poll() throws IOException {
    merge.drain();
  }

  /** Nothing was read for long: where a log was rotated meanwhile, a file may be missing. */
  void wasAway() {
    sources.forEach(LogSource::wasAway);
  }

  /** The time that all of them cover without a gap. */
  public Covered covered() {
    HeardLog least = all;
    for (LogSource each : sources) {
      if (each.heard().sinceMillis() >= least.sinceMillis()) {
        least = each.heard();
      }
    }
    boolean any = !least.isUnheard() && !all.isUnheard();
    return new Covered(any, least.sinceMillis(), all.lastMillis(), least.why());
  }

  /** Lines that were read, of all of them. */
  public AuditCounts counts() {
    return sources.stream().map(LogSource::counts).reduce(AuditCounts.NONE, AuditCounts::plus);
  }

  @Override
  public void close() throws IOException {
    for (LogSource each : sources) {
      each.close();
    }
  }
}
