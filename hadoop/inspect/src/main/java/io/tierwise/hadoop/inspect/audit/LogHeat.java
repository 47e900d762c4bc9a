package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessSink;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.heat.HeatSettings;
import io.tierwise.policies.heat.HeatTotals;
import io.tierwise.policies.heat.ReadListener;
import io.tierwise.policies.heat.TableNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The heat of files by an audit log: reads it, whole or while it grows, and answers. */
public final class LogHeat {
  /** Windows are made of up to so many of the shortest, 2 to this power. */
  private static final int LEVEL_MAX = 4;

  private static final long BASE_MILLIS_MIN = 1_000;

  /** Own: ten years; times of several windows are far from what a long takes. */
  private static final long WINDOW_MILLIS_MAX = 3_650L * 86_400_000;

  private static final long POLL_MILLIS = 500;

  /** Own: threads of a NameNode write their lines within milliseconds of each other's. */
  private static final long BEHIND_MILLIS_MIN = 60_000;

  private final Wish wish;
  private final int level;
  private final HeatMap heat;
  private final AccessSink sink;
  private final ObservedTime observed = new ObservedTime();
  private long lastSecond = Long.MIN_VALUE;
  private long firstMillis = Long.MAX_VALUE;
  private long nowMillis;
  private long behind;
  private AuditCounts counts = AuditCounts.NONE;
  private LongSupplier presentMillis = () -> Long.MAX_VALUE;

  /**
   * The files to read, and which accesses count.
   *
   * @param files of the logs of all NameNodes, in any order
   * @param zone the time zone that the NameNode writes times in
   * @param windowMillis length of the windows that an answer has
   * @param since earlier accesses are left out; null for none
   * @param filesMax files that have a row
   * @param endless for a log that is followed while it grows: of files without a row, reads of long
   *     ago are forgotten
   */
  public record Wish(
      List<Path> files,
      ZoneId zone,
      long windowMillis,
      Instant since,
      int filesMax,
      boolean endless) {
    public Wish {
      if (windowMillis < BASE_MILLIS_MIN) {
        throw OperatorException.badInput("--window: " + windowMillis + " ms: give 1 s or more");
      }
      if (windowMillis > WINDOW_MILLIS_MAX) {
        throw OperatorException.badInput("--window is too long: give 3650 d or less");
      }
      if (filesMax < 1 || filesMax > 1 << 28) {
        throw OperatorException.badInput("--files " + filesMax + ": give 1 to " + (1 << 28));
      }
    }

    /** A log that is read to its end. */
    public Wish(List<Path> files, ZoneId zone, long windowMillis, Instant since, int filesMax) {
      this(files, zone, windowMillis, since, filesMax, false);
    }
  }

  public LogHeat(Wish wish) {
    this(wish, ReadListener.NONE);
  }

  /** The same, and somebody hears of each read. */
  public LogHeat(Wish wish, ReadListener listener) {
    this.wish = wish;
    long base = wish.windowMillis();
    int halved = 0;
    while (halved < LEVEL_MAX && base % 2 == 0 && base / 2 >= BASE_MILLIS_MIN) {
      base /= 2;
      halved++;
    }
    level = halved;
    HeatSettings settings = HeatSettings.of(base, wish.filesMax());
    heat = new HeatMap(wish.endless() ? settings : settings.forgettingNothing(), listener);
    long from = wish.since() == null ? Long.MIN_VALUE : wish.since().toEpochMilli();
    sink =
        (told, kind, path, destination, reader) -> {
          long time = Math.min(told, presentMillis.getAsLong());
          if (time >= from) {
            heat.accessed(time, kind, path, destination, reader);
            observe(Math.floorDiv(time, 1000L));
            behind += time < nowMillis - BEHIND_MILLIS_MIN ? 1 : 0;
          }
        };
  }

  /**
   * Reads that are to come count as of now, by this clock: a spoilt line, or a NameNode whose clock
   * was ahead, would otherwise move all that follow to its time.
   */
  public LogHeat notAfter(LongSupplier clockMillis) {
    presentMillis = clockMillis;
    return this;
  }

  /** Asks for the time of the feed, which leaves out spoilt ones, once a second of the log. */
  private void observe(long second) {
    if (second != lastSecond) {
      lastSecond = second;
      firstMillis = Math.min(firstMillis, 1000L * second);
      nowMillis = heat.totals().nowMillis();
      observed.at(nowMillis);
    }
  }

  /** Reads all files to their ends. */
  public LogHeat read() throws IOException {
    counts = AuditLogFiles.inOrder(wish.files(), wish.zone()).read(sink);
    observed.at(heat.totals().nowMillis());
    return requireLines();
  }

  /**
   * Reads logs of NameNodes, as they are now, to their ends.
   *
   * @return the time that they cover
   * @throws OperatorException when one is not there
   */
  public NameNodeLogs.Covered read(List<NameNodeLogs.Source> sources) throws IOException {
    try (NameNodeLogs logs = new NameNodeLogs(sources, wish.zone(), sink)) {
      logs.requireFiles();
      logs.poll();
      counts = logs.counts();
      requireLines();
      return logs.covered();
    }
  }

  private LogHeat requireLines() {
    if (counts.accesses() + counts.refused() == 0) {
      throw OperatorException.badInput(
          counts.lines() == 0
              ? "the audit log is empty: " + wish.files()
              : "no line of an HDFS audit log in " + wish.files() + ": " + counts.firstCorrupt());
    }
    return this;
  }

  /** Opens the logs of NameNodes, to be followed. */
  public FollowedLogs open(List<NameNodeLogs.Source> sources) throws IOException {
    return new FollowedLogs(sources, wish.zone());
  }

  /**
   * Reads a log while it is written.
   *
   * @param everyMillis how often {@code each} is called
   * @param stopped asked twice a second
   */
  public void follow(long everyMillis, Runnable each, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    if (wish.files().size() != 1) {
      throw OperatorException.badInput("one file is followed at a time: name the one that grows");
    }
    try (FollowedLogs logs = open(NameNodeLogs.Source.of(wish.files(), List.of()))) {
      follow(logs, everyMillis, each, stopped);
    }
  }

  /**
   * Counts reads of logs while they are written, likewise. While {@code each} is busy they are read
   * all the same, and counted when it is done.
   */
  public void follow(FollowedLogs logs, long everyMillis, Runnable each, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    long next = System.nanoTime();
    while (!stopped.getAsBoolean()) {
      boolean more = logs.drain(sink);
      counts = logs.counts();
      long now = System.nanoTime();
      if (!more && logs.isCaughtUp() && now - next >= 0) {
        each.run();
        next = Math.max(next, now - POLL_MILLIS * 1_000_000) + everyMillis * 1_000_000;
      } else if (!more) {
        Thread.sleep(Math.min(POLL_MILLIS, everyMillis));
      }
    }
  }

  /** The hottest files below a directory. */
  public HeatAnswer top(int count, String below) {
    return answer(report().hottest(count, below).stream().map(HeatAnswer.Row::of).toList());
  }

  /** One file, read or not. */
  public HeatAnswer file(String path) {
    return answer(List.of(HeatAnswer.Row.of(report().file(path))));
  }

  /** The hottest directories so many names below another. */
  public HeatAnswer directories(int count, String below, int depth) {
    return answer(
        report().directories(below, depth).stream().limit(count).map(HeatAnswer.Row::of).toList());
  }

  /** The hottest tables. */
  public HeatAnswer tables(int count, List<String> patterns) {
    TableNames names = new TableNames(patterns);
    return answer(report().tables(names).stream().limit(count).map(HeatAnswer.Row::of).toList());
  }

  /** All that was counted until now. */
  public HeatReport report() {
    return heat.report(level);
  }

  /** Totals of what was counted. */
  public HeatTotals totals() {
    return heat.totals();
  }

  /** How long the log was written, by all of its accesses. */
  public ObservedTime observed() {
    return observed;
  }

  /** The second of the earliest access that counts. */
  public long firstMillis() {
    return firstMillis;
  }

  /** Accesses of over a minute before the log's time as it was then: they count as of that. */
  public long behind() {
    return behind;
  }

  /** Lines that were read. */
  public AuditCounts counts() {
    return counts;
  }

  private HeatAnswer answer(List<HeatAnswer.Row> rows) {
    return HeatAnswer.of(rows, this);
  }
}
