package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.hadoop.inspect.history.StoredHistory;
import io.tierwise.history.RunReader;
import io.tierwise.history.RunRecord;
import io.tierwise.history.TraceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Finds the history of a MapReduce job that has just ended: where its application master left it,
 * or where the history server has moved it to.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code JobHistoryUtils}: {@code
 * done_intermediate/USER/job_T_N-*.jhist}, then {@code done/YEAR/MONTH/DAY/FIRST/job_T_N-*.jhist},
 * FIRST the first six of the nine digits of N.
 */
final class JobHistoryFiles {
  /** Own: an application master writes it before it ends, a history server moves it in minutes. */
  private static final double SECONDS_MAX = 60;

  private static final String STAGING_KEY = "yarn.app.mapreduce.am.staging-dir";
  private static final String STAGING = "/tmp/hadoop-yarn/staging";

  private final Configuration conf;
  private final String intermediate;
  private final String done;

  JobHistoryFiles(Configuration conf) {
    this.conf = conf;
    String staging = conf.getTrimmed(STAGING_KEY, STAGING);
    intermediate =
        conf.getTrimmed(
            "mapreduce.jobhistory.intermediate-done-dir", staging + "/history/done_intermediate");
    done = conf.getTrimmed("mapreduce.jobhistory.done-dir", staging + "/history/done");
  }

  /**
   * Waits for it.
   *
   * @return null when it did not appear
   */
  RunRecord await(ApplicationId application, StopSign stop) throws IOException {
    List<RunRecord> found = new ArrayList<>();
    stop.await(() -> !find(application, found).isEmpty(), SECONDS_MAX);
    return found.isEmpty() ? null : found.get(0);
  }

  private List<RunRecord> find(ApplicationId application, List<RunRecord> found)
      throws IOException {
    String job = application.toString().replace("application_", "job_");
    String first = String.format(Locale.ROOT, "%09d", application.getId()).substring(0, 6);
    for (String pattern :
        List.of(
            intermediate + "/*/" + job + "-*.jhist",
            done + "/*/*/*/" + first + "/" + job + "-*.jhist")) {
      Path path = new Path(pattern);
      FileSystem fs = path.getFileSystem(conf);
      FileStatus[] files = fs.globStatus(path);
      if (files != null && files.length > 0 && found.isEmpty()) {
        read(files[0].getPath(), found);
      }
    }
    return found;
  }

  private void read(Path file, List<RunRecord> found) throws IOException {
    try {
      StoredHistory.read(file.toString(), conf, log -> RunReader.read(log).ifPresent(found::add));
    } catch (FileNotFoundException | TraceException e) {
      // It is being moved or written: the next look finds it whole.
      found.clear();
    }
  }
}
