package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.use.JobReads;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the reads of runs in a log. A read is a run's when it began while the run was there, of a
 * file that the run names as its input. Of several such runs it is that which lacks the largest
 * share of the bytes that its own counters say it read.
 */
final class JobMatch {
  private static final long SECOND_MILLIS = 1_000;

  private final List<RunRecord> runs;
  private final JobPaths paths;

  /** The runs that may read each file of the image that the log reads. */
  private final List<int[]> runsOfFile = new ArrayList<>();

  private final long[] files;
  private final long[] reads;
  private final double[] bytes;
  private final double[] fastBytes;
  private long longestMillis;
  private long firstSecond = Long.MAX_VALUE;
  private long lastSecond = Long.MIN_VALUE;

  /**
   * @param ours tells inputs that the image may have
   */
  JobMatch(List<RunRecord> runs, ImageNames ours) {
    this.runs = runs;
    paths = new JobPaths(runs, ours);
    files = new long[runs.size()];
    reads = new long[runs.size()];
    bytes = new double[runs.size()];
    fastBytes = new double[runs.size()];
    runs.forEach(
        run -> longestMillis = Math.max(longestMillis, run.endMillis() - run.submitMillis()));
  }

  /** A file of the image that the log reads; they are numbered in this order, from 0. */
  void addRead(String path) {
    int[] of = paths.of(path);
    runsOfFile.add(of);
    count(of);
  }

  /** A file of the image that the log does not read. */
  void addUnread(String path) {
    count(paths.of(path));
  }

  private void count(int[] of) {
    for (int run : of) {
      files[run]++;
    }
  }

  /**
   * A read.
   *
   * @param file its number
   * @return the run's place, or {@link JobReads#NONE}
   */
  int read(int file, long second, long fileBytes, boolean onFast) {
    firstSecond = Math.min(firstSecond, second);
    lastSecond = Math.max(lastSecond, second);
    int best = runs.isEmpty() ? JobReads.NONE : best(runsOfFile.get(file), second);
    if (best != JobReads.NONE) {
      reads[best]++;
      bytes[best] += (double) fileBytes;
      fastBytes[best] += onFast ? (double) fileBytes : 0;
    }
    return best;
  }

  private int best(int[] candidates, long second) {
    long end = second * SECOND_MILLIS + SECOND_MILLIS - 1;
    int best = JobReads.NONE;
    for (int i = after(candidates, end) - 1; i >= 0; i--) {
      RunRecord run = runs.get(candidates[i]);
      if (run.submitMillis() + longestMillis < second * SECOND_MILLIS) {
        return best; // All before were submitted earlier still.
      }
      boolean there = run.endMillis() >= second * SECOND_MILLIS;
      if (there && (best == JobReads.NONE || lacks(candidates[i]) > lacks(best))) {
        best = candidates[i];
      }
    }
    return best;
  }

  /** The first candidate that is submitted later than that. */
  private int after(int[] candidates, long millis) {
    int low = 0;
    int high = candidates.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.get(candidates[middle]).submitMillis() <= millis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private double lacks(int run) {
    return 1 - bytes[run] / Math.max(1, readBytes(runs.get(run)));
  }

  /** The runs as jobs of a replay, in their order. */
  List<JobReads.ReadingJob> jobs() {
    return runs.stream().map(JobMatch::job).toList();
  }

  private static JobReads.ReadingJob job(RunRecord run) {
    Phase maps = run.phase(0);
    double seconds = Math.max(0, run.endMillis() - run.startMillis()) / 1e3;
    double readSeconds = Math.max(0, maps.endMillis() - maps.startMillis()) / 1e3;
    long together = readSeconds == 0 ? 1 : Math.round(maps.taskMillis() / 1e3 / readSeconds);
    return new JobReads.ReadingJob(
        run.id(),
        run.application(),
        seconds,
        readSeconds,
        (int) Math.max(1, Math.min(together, Math.max(1, maps.taskCount()))),
        maps.tasksByHost().size(),
        readBytes(run),
        maps.cpuNanos() / 1e9);
  }

  private static long readBytes(RunRecord run) {
    return run.phase(0).readBytes();
  }

  /** The result; to be asked for after all reads. */
  List<Advice.Job> rows() {
    List<Advice.Job> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      JobReads.ReadingJob job = job(runs.get(i));
      rows.add(
          new Advice.Job(
              job.id(),
              job.application(),
              runs.get(i).engine().word(),
              why(i),
              job.seconds(),
              job.hostCount(),
              job.readersMax(),
              job.readBytes(),
              files[i],
              reads[i],
              (long) Math.min(bytes[i], Long.MAX_VALUE),
              bytes[i] == 0 ? 0 : fastBytes[i] / bytes[i]));
    }
    return rows;
  }

  private Advice.Found why(int run) {
    if (reads[run] > 0) {
      return Advice.Found.READS;
    }
    if (!paths.names(run)) {
      return Advice.Found.NO_INPUT_NAMED;
    }
    if (runs.get(run).endMillis() < firstSecond * SECOND_MILLIS
        || runs.get(run).submitMillis() > lastSecond * SECOND_MILLIS + SECOND_MILLIS) {
      return Advice.Found.OUTSIDE_THE_LOG;
    }
    return files[run] == 0 ? Advice.Found.NOT_IN_THE_IMAGE : Advice.Found.NOT_READ_THEN;
  }
}
