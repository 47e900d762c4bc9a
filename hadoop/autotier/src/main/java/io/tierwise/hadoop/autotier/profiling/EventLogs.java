package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.hadoop.inspect.history.StoredHistory;
import io.tierwise.history.HistoryLog;
import io.tierwise.history.RunReader;
import io.tierwise.history.RunRecord;
import io.tierwise.history.TraceException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The folders in which Spark applications leave their event logs while they are profiled: one for
 * each run, so that all in it are of that run, wherever they ran.
 */
final class EventLogs implements Closeable {
  /** Own: a driver on YARN writes the end of its log just before the application is over. */
  private static final double SECONDS_MAX = 60;

  /** Like the folder of Spark's history server: the command may run as another user. */
  private static final FsPermission FOR_ALL = new FsPermission((short) 01777);

  private static final FsPermission TO_PASS = new FsPermission((short) 0711);

  private final FileSystem fs;
  private final Configuration conf;
  private final Path top;

  /**
   * What was found of a run.
   *
   * @param runs those that are whole
   * @param problems a line for each log that is none
   */
  record Found(List<RunRecord> runs, List<String> problems) {
    static final Found NOTHING = new Found(List.of(), List.of());
  }

  private EventLogs(FileSystem fs, Configuration conf, Path top) {
    this.fs = fs;
    this.conf = conf;
    this.top = top;
  }

  /**
   * Makes them, below one.
   *
   * @param top that is not there yet, and is deleted at the end
   */
  static EventLogs make(FileSystem fs, Configuration conf, Path top) throws IOException {
    fs.mkdirs(top);
    // The umask does not matter then.
    fs.setPermission(top, TO_PASS);
    return new EventLogs(fs, conf, fs.makeQualified(top));
  }

  /** The folder of a run, which is there from now on. */
  Path folder(String tag) throws IOException {
    Path folder = new Path(top, tag);
    fs.mkdirs(folder);
    fs.setPermission(folder, FOR_ALL);
    return folder;
  }

  /**
   * Reads the logs of a run that is over.
   *
   * @param succeeded whether they may be waited for: one that was killed leaves its log open
   */
  Found await(String tag, boolean succeeded, StopSign stop) throws IOException {
    List<Found> last = new ArrayList<>();
    stop.await(
        () -> {
          last.clear();
          last.add(read(new Path(top, tag)));
          return last.get(0).problems().isEmpty();
        },
        succeeded ? SECONDS_MAX : 0);
    return last.get(0);
  }

  private Found read(Path folder) throws IOException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>());
    try {
      StoredHistory.read(folder.toString(), conf, log -> read(log, found));
    } catch (FileNotFoundException e) {
      // A driver renames its log at the end: the next look finds it.
      found.problems().add(folder + ": " + e.getMessage());
    }
    return found;
  }

  private static void read(HistoryLog log, Found found) throws IOException {
    if (log.unfinished()) {
      found.problems().add(log.name() + ": the application has not ended its event log");
      return;
    }
    try {
      RunReader.read(log).ifPresent(found.runs()::add);
    } catch (TraceException e) {
      found.problems().add(e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    fs.delete(top, true);
  }
}
