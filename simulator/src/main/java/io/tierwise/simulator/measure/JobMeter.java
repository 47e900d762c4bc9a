package io.tierwise.simulator.measure;

import java.util.Arrays;

/** Counts jobs and tasks; keeps 20 bytes a finished job: percentiles, and what it met. */
public final class JobMeter {
  private double[] seconds = new double[64];
  private double[] submitSeconds = new double[64];
  private int[] ids = new int[64];
  private int finished;
  private long failed;
  private String firstFailure = "";
  private long startedTasks;
  private long mapTasks;
  private long reduceTasks;
  private long killedTasks;

  /**
   * A job is over: {@code jobSeconds} after it was submitted.
   *
   * @param id jobs are numbered as they arrive
   */
  public void finished(int id, double submitted, double jobSeconds) {
    if (finished == seconds.length) {
      seconds = Arrays.copyOf(seconds, 2 * finished);
      submitSeconds = Arrays.copyOf(submitSeconds, 2 * finished);
      ids = Arrays.copyOf(ids, 2 * finished);
    }
    ids[finished] = id;
    submitSeconds[finished] = submitted;
    seconds[finished++] = jobSeconds;
  }

  /** A job is over without success. */
  public void failed(String name, String reason) {
    if (failed++ == 0) {
      firstFailure = name + ": " + reason;
    }
  }

  public void taskStarted() {
    startedTasks++;
  }

  public void taskFinished(boolean reduce) {
    if (reduce) {
      reduceTasks++;
    } else {
      mapTasks++;
    }
  }

  public void taskKilled() {
    killedTasks++;
  }

  /** Attempts of tasks, all that ever began. */
  public long startedTasks() {
    return startedTasks;
  }

  public long finishedTasks() {
    return mapTasks + reduceTasks;
  }

  public long killedTasks() {
    return killedTasks;
  }

  /** Jobs that are over, with or without success. */
  public long overCount() {
    return finished + failed;
  }

  /** When each job ran, in the order in which they ended. */
  public RunResult.JobTimes times() {
    return new RunResult.JobTimes(
        Arrays.copyOf(ids, finished),
        Arrays.copyOf(submitSeconds, finished),
        Arrays.copyOf(seconds, finished));
  }

  /** The outcome of the jobs; times are not a number when none finished. */
  public RunResult.Jobs jobs() {
    double[] sorted = Arrays.copyOf(seconds, finished);
    Arrays.sort(sorted);
    return new RunResult.Jobs(
        finished,
        failed,
        mapTasks,
        reduceTasks,
        killedTasks,
        finished == 0 ? Double.NaN : Arrays.stream(sorted).sum() / finished,
        percentile(sorted, 0.50),
        percentile(sorted, 0.95),
        percentile(sorted, 0.99),
        percentile(sorted, 1),
        firstFailure);
  }

  /** The smallest value that at least this share of the values does not exceed. */
  private static double percentile(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }
}
