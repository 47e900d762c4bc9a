package io.tierwise.lab.demo;

import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.heat.ReadListener;
import io.tierwise.policies.popularity.UseWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/**
 * The reads that the NameNode's own audit log tells of, counted by the classes that {@code tierwise
 * autotier} counts with. The NameNode is in this process; it writes a line before it answers a
 * call, so that the log tells of every read that is over.
 */
final class AuditedReads implements AutoCloseable {
  private static final String LOGGER = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit";

  /** Counts of windows are not asked for: any length does. */
  private static final long WINDOW_MILLIS = 3_600_000;

  private static final int FILES_MAX = 1_000;

  private final Path log;
  private final Logger logger = Logger.getLogger(LOGGER);
  private final Level level = logger.getLevel();
  private final boolean additive = logger.getAdditivity();
  private final FileAppender appender;

  /** From now on the NameNode writes its audit log to that file. */
  AuditedReads(Path log) throws IOException {
    this.log = log;
    appender = new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), log.toString());
    logger.addAppender(appender);
    logger.setAdditivity(false);
    logger.setLevel(Level.INFO);
  }

  /** A read of the file that has that row in the heat map. */
  private record Read(int row, long millis) {}

  /**
   * The use of files in a time that has just ended.
   *
   * @param paths the files by their numbers in the window; others are left out
   */
  UseWindow window(Instant from, Instant until, List<String> paths) throws IOException {
    List<Read> reads = new ArrayList<>();
    LogHeat.Wish wish =
        new LogHeat.Wish(List.of(log), ZoneId.systemDefault(), WINDOW_MILLIS, from, FILES_MAX);
    HeatReport report =
        new LogHeat(
                wish,
                new ReadListener() {
                  @Override
                  public void begins(int row) {
                    // Each row stands for one path: nothing is deleted within a phase.
                  }

                  @Override
                  public void read(int row, long millis) {
                    reads.add(new Read(row, millis));
                  }
                })
            .read()
            .report();
    UseWindow window = empty(from, until, paths.size());
    for (Read read : reads) {
      int file = paths.indexOf(report.pathOf(read.row()));
      if (file >= 0) {
        // Readers at one time are those of one minute, as in WindowFeed: a phase is shorter.
        window.read(file, read.millis() / 1e3, window.reads(file) + 1);
      }
    }
    return window;
  }

  /** A time in which nobody read the files. */
  static UseWindow empty(Instant from, Instant until, int files) {
    UseWindow window = new UseWindow(files);
    double start = from.toEpochMilli() / 1e3;
    window.begin(start, Math.max(until.toEpochMilli() / 1e3, start + 1e-3));
    for (int file = 0; file < files; file++) {
      window.keep(file, 1);
    }
    return window;
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    logger.setAdditivity(additive);
    logger.setLevel(level);
    appender.close();
  }
}
