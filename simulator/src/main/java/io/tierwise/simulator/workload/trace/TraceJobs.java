package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceLimits;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.BadRows;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The jobs of a trace: in order of arrival, scaled in time and size, up to a number of jobs.
 *
 * <p>Times: a trace that counts from its own start keeps its times; one that names dates starts
 * with its first job at 0.
 */
public final class TraceJobs implements JobSource {
  private final WorkloadSpec.Trace spec;
  private final TraceRows rows;
  private final boolean countsFromFirstJob;
  private long firstMillis = -1;
  private long lastMillis;
  private long jobCount;
  private final JobIds ids = new JobIds();
  private BadRows badRows = BadRows.NONE;

  private TraceJobs(WorkloadSpec.Trace spec, TraceRows rows, boolean countsFromFirstJob) {
    this.spec = spec;
    this.rows = rows;
    this.countsFromFirstJob = countsFromFirstJob;
  }

  /**
   * Opens a trace.
   *
   * @throws TraceException when it cannot be opened or its settings make no sense
   */
  public static TraceJobs open(WorkloadSpec.Trace spec) throws IOException {
    requireScale("time scale", spec.timeScale(), 0);
    requireScale("size scale", spec.sizeScale(), Double.MIN_VALUE);
    requireScale("shuffle scale", spec.shuffleScale(), Double.MIN_VALUE);
    requireScale("output scale", spec.outputScale(), Double.MIN_VALUE);
    if (spec.jobCountMax() < 0) {
      throw new TraceException(
          "the trace's job count is limited to " + spec.jobCountMax() + ", must not be negative");
    }
    return switch (spec.format()) {
      case "swim" -> new TraceJobs(spec, SwimRows.open(spec.file(), spec.skipBadRows()), false);
      case "rumen" -> new TraceJobs(spec, RumenRows.open(spec.file()), true);
      case "jhist" -> new TraceJobs(spec, FolderRows.open(spec, JobHistoryRows::open), true);
      case "spark" -> new TraceJobs(spec, FolderRows.open(spec, SparkRows::open), true);
      case "jobs" -> new TraceJobs(spec, JobRows.open(spec.file()), false);
      default ->
          throw new TraceException(
              "trace format "
                  + TraceException.quoted(spec.format())
                  + " is not known: swim, rumen, jhist, spark or jobs");
    };
  }

  private static void requireScale(String name, double scale, double min) throws TraceException {
    if (!(scale >= min && Double.isFinite(scale))) {
      throw new TraceException(
          "the trace's "
              + name
              + " is "
              + scale
              + ", must be "
              + (min > 0 ? "above 0" : "0 or more")
              + " and finite");
    }
  }

  /** The input of a job whose trace names no path: data that no other job reads. */
  static String ownInput(String job) {
    return "/workload/input/" + job;
  }

  @Override
  public JobSpec next() throws IOException {
    if (spec.jobCountMax() > 0 && jobCount >= spec.jobCountMax()) {
      return null;
    }
    while (true) {
      try {
        TraceRow row = rows.next();
        if (row == null) {
          requireSomeJob();
          return null;
        }
        JobSpec job = scaled(row);
        requireNewId(job.name());
        jobCount++;
        return job;
      } catch (BadRowException e) {
        if (!spec.skipBadRows()) {
          throw e;
        }
        badRows = badRows.and(e.getMessage());
      }
    }
  }

  private void requireSomeJob() throws TraceException {
    if (jobCount > 0) {
      return;
    }
    if (badRows.count() > 0) {
      throw new TraceException(
          spec.file() + ": all " + badRows.count() + " rows are bad, first " + badRows.first());
    }
    throw new TraceException(spec.file() + ": has no job");
  }

  /** Two jobs of one id would read the same input, and no figure could tell them apart. */
  private void requireNewId(String id) throws BadRowException {
    int number = ids.add(id);
    if (number > 0) {
      throw new BadRowException(
          rows.where()
              + ": job id "
              + TraceException.quoted(id)
              + " is that of job "
              + number
              + " of the trace, too; give each job an id of its own");
    }
  }

  private JobSpec scaled(TraceRow row) throws TraceException {
    if (row.submitMillis() < lastMillis) {
      throw new BadRowException(
          rows.where()
              + ": job "
              + TraceException.quoted(row.job().name())
              + " is submitted at "
              + row.submitMillis() / 1000.0
              + " s, before the job above it ("
              + lastMillis / 1000.0
              + " s); sort the trace by submit time");
    }
    lastMillis = row.submitMillis();
    if (firstMillis < 0) {
      firstMillis = countsFromFirstJob ? row.submitMillis() : 0;
    }
    JobSpec job = row.job();
    List<StageSpec> stages = new ArrayList<>();
    for (StageSpec stage : job.stages()) {
      stages.add(
          stage.with(
              stage.inputPath(),
              bytes(stage.inputBytes()),
              stage.taskCount(),
              shuffled(stage.betweenBytes()),
              written(stage.outputBytes())));
    }
    return sumsOf(row).withStages(stages);
  }

  private JobSpec sumsOf(TraceRow row) throws TraceException {
    JobSpec job = row.job();
    return new JobSpec(
        job.name(),
        job.application(),
        (row.submitMillis() - firstMillis) * spec.timeScale() / 1000,
        job.inputPath(),
        job.outputPath(),
        bytes(job.inputBytes()),
        bytes(job.inputFileBytes()),
        shuffled(job.mapOutputBytes()),
        written(job.outputBytes()),
        job.mapCount(),
        job.reduceCount(),
        job.mapCyclesPerByte(),
        job.reduceCyclesPerByte(),
        job.localityShare(),
        job.taskSeconds(),
        job.outputReplication());
  }

  private long bytes(long unscaled) throws TraceException {
    return above0(unscaled, "the size scale", spec.sizeScale());
  }

  private long shuffled(long unscaled) throws TraceException {
    return above0(bytes(unscaled), "the shuffle scale", spec.shuffleScale());
  }

  private long written(long unscaled) throws TraceException {
    return above0(bytes(unscaled), "the output scale", spec.outputScale());
  }

  /** A job that reads, shuffles or writes still does: else it would be of another kind. */
  private long above0(long unscaled, String name, double scale) throws TraceException {
    return unscaled == 0 ? 0 : Math.max(1, times(unscaled, name, scale));
  }

  private long times(long unscaled, String name, double scale) throws TraceException {
    if (scale == 1) {
      return unscaled;
    }
    double scaled = unscaled * scale;
    if (scaled > TraceLimits.BYTES_MAX) {
      throw new TraceException(
          rows.where()
              + ": "
              + unscaled
              + " bytes times "
              + name
              + " "
              + scale
              + " are more than "
              + TraceLimits.BYTES_MAX
              + ", make "
              + name
              + " smaller");
    }
    return Math.round(scaled);
  }

  @Override
  public double progress() {
    double ofJobs = spec.jobCountMax() > 0 ? jobCount / (double) spec.jobCountMax() : 0;
    return Math.min(1, Math.max(ofJobs, rows.progress()));
  }

  @Override
  public BadRows badRows() {
    return badRows;
  }

  @Override
  public String warning() {
    return rows.warning();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
