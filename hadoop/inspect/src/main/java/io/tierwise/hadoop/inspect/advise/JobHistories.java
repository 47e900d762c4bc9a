package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.history.StoredHistory;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.HistoryLog;
import io.tierwise.history.JobInputs;
import io.tierwise.history.RunReader;
import io.tierwise.history.RunRecord;
import io.tierwise.history.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The runs of a folder of this machine, with the paths that they name as their input: MapReduce's
 * history files and the configurations beside them, and Spark's event logs.
 */
public final class JobHistories implements HistoryLog.Reader {
  /** Own: enough to see what is wrong; a folder of the wrong files has a line each. */
  private static final int TOLD_MAX = 10;

  private static final String JOB_HISTORY = ".jhist";

  /** A run that lies there twice counts once. */
  private final Map<String, RunRecord> runs = new HashMap<>();

  private final Map<String, List<String>> inputsByJob = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private int unfinished;
  private int other;
  private int refused;

  private JobHistories() {}

  /**
   * Histories, as they were found.
   *
   * @param runs in order of submission
   * @param unfinished logs of applications that still run
   * @param refused files that cannot be used
   * @param problems a line about each of the first of these
   */
  public record Found(List<RunRecord> runs, int unfinished, int refused, List<String> problems) {
    /** Nobody asked for any. */
    public static final Found NONE = new Found(List.of(), 0, 0, List.of());

    public Found {
      runs = List.copyOf(runs);
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads all history below a folder.
   *
   * @throws OperatorException when there is no run in it
   */
  public static Found read(Path folder) throws IOException {
    if (!Files.isReadable(folder)) {
      throw OperatorException.badInput(
          "--history "
              + folder
              + " is not there, or may not be read: name a folder of job history");
    }
    JobHistories histories = new JobHistories();
    org.apache.hadoop.fs.Path stored = new org.apache.hadoop.fs.Path(folder.toUri());
    StoredHistory.read(stored, new Configuration(false), histories);
    return histories.found(folder);
  }

  @Override
  public void read(HistoryLog log) {
    if (log.unfinished()) {
      unfinished++;
      return;
    }
    try {
      HistoryFile first = log.parts().isEmpty() ? null : log.parts().get(0);
      Optional<String> job = first == null ? Optional.empty() : JobInputs.jobOf(first);
      if (job.isPresent()) {
        inputsByJob.put(job.get(), JobInputs.read(first));
        return;
      }
      Optional<RunRecord> run = RunReader.read(log);
      run.ifPresent(each -> runs.putIfAbsent(each.id(), each));
      if (run.isEmpty() && log.name().contains(JOB_HISTORY)) {
        refuse(
            log.name()
                + ": does not begin as a job history file does, with Avro-Json or Avro-Binary: it"
                + " is of Hadoop 1, damaged or empty");
      } else if (run.isEmpty()) {
        other++;
      }
    } catch (TraceException e) {
      refuse(e.getMessage());
    } catch (IOException e) {
      refuse(log.name() + ": cannot be read (" + e + ")");
    }
  }

  private void refuse(String problem) {
    refused++;
    if (refused <= TOLD_MAX) {
      problems.add(Words.plain(problem));
    }
  }

  private Found found(Path folder) {
    if (runs.isEmpty()) {
      throw OperatorException.badInput(
          "--history "
              + folder
              + " has no job that ended"
              + instead()
              + "; name a copy of mapreduce.jobhistory.done-dir or spark.eventLog.dir");
    }
    List<RunRecord> named =
        runs.values().stream()
            .map(run -> inputsByJob.containsKey(run.id()) ? withInputs(run) : run)
            .sorted(Comparator.comparingLong(RunRecord::submitMillis).thenComparing(RunRecord::id))
            .toList();
    return new Found(named, unfinished, refused, problems);
  }

  /** Says what the folder holds instead of runs. */
  private String instead() {
    if (refused > 0) {
      return ": " + problems.get(0);
    }
    if (unfinished > 0) {
      return ", but " + Words.count(unfinished, "log") + " of applications that still run";
    }
    int files = other + inputsByJob.size();
    return files == 0
        ? ": it is empty"
        : ", but " + Words.count(files, "file") + " of another kind";
  }

  private RunRecord withInputs(RunRecord run) {
    return run.withInputs(inputsByJob.get(run.id()));
  }
}
