package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.WorkloadException;

/**
 * TestDFSIO: a job whose maps each write one file, then, when it is over, a job whose maps each
 * read one. Its reducer gathers a few lines of figures and is left out.
 *
 * <p>Own: the maps of both jobs are placed without regard to the data (locality share 0) unless the
 * workload says otherwise, because TestDFSIO's splits are its control files, not the files that it
 * reads.
 */
final class DfsioJobs implements JobSource {
  /** The files that the write job writes and the read job reads. */
  static final String DATA_PATH = "/benchmarks/TestDFSIO/io_data";

  private static final int TASKS_MAX = 10_000_000;
  private static final long BYTES_MAX = 1L << 60;

  private final WorkloadSpec.Dfsio spec;
  private boolean writeDone;
  private boolean readDone;
  private boolean writing;
  private double readAtSeconds;

  private DfsioJobs(WorkloadSpec.Dfsio spec) {
    this.spec = spec;
    writeDone = !spec.write();
    readDone = !spec.read();
  }

  static DfsioJobs of(WorkloadSpec.Dfsio spec) throws WorkloadException {
    if (spec.taskCount() < 1 || spec.taskCount() > TASKS_MAX) {
      throw new WorkloadException(
          "TestDFSIO's task count is " + spec.taskCount() + ", must be from 1 to " + TASKS_MAX);
    }
    if (spec.fileBytes() < 1 || spec.fileBytes() > BYTES_MAX / spec.taskCount()) {
      throw new WorkloadException(
          "TestDFSIO's file size is "
              + spec.fileBytes()
              + " bytes, must be from 1 to "
              + BYTES_MAX / spec.taskCount()
              + " with "
              + spec.taskCount()
              + " tasks");
    }
    if (!spec.write() && !spec.read()) {
      throw new WorkloadException("TestDFSIO neither writes nor reads: choose one or both");
    }
    return new DfsioJobs(spec);
  }

  @Override
  public JobSpec next() {
    if (!writeDone) {
      writeDone = true;
      writing = true;
      return job(WorkloadSpec.Dfsio.WRITE_JOB, 0, "", DATA_PATH, 0, totalBytes());
    }
    if (writing || readDone) {
      return null;
    }
    readDone = true;
    return job(WorkloadSpec.Dfsio.READ_JOB, readAtSeconds, DATA_PATH, "", totalBytes(), 0);
  }

  private JobSpec job(
      String name,
      double submitSeconds,
      String inputPath,
      String outputPath,
      long inputBytes,
      long outputBytes) {
    return new JobSpec(
        name,
        WorkloadSpec.Dfsio.APPLICATION,
        submitSeconds,
        inputPath,
        outputPath,
        inputBytes,
        inputBytes,
        0,
        outputBytes,
        spec.taskCount(),
        0,
        0,
        0,
        spec.localityShare(),
        0,
        0);
  }

  private long totalBytes() {
    return spec.taskCount() * spec.fileBytes();
  }

  @Override
  public boolean finished(JobSpec job, double atSeconds) {
    if (!writing) {
      return false;
    }
    writing = false;
    readAtSeconds = atSeconds;
    return !readDone;
  }

  /** One for each task. */
  @Override
  public int inputFiles(JobSpec job) {
    return spec.taskCount();
  }

  @Override
  public double progress() {
    int jobs = (spec.write() ? 1 : 0) + (spec.read() ? 1 : 0);
    int returned = (spec.write() && writeDone ? 1 : 0) + (spec.read() && readDone ? 1 : 0);
    return returned / (double) jobs;
  }

  @Override
  public void close() {}
}
