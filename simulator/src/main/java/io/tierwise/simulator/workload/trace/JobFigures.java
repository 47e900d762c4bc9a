package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceLimits;
import io.tierwise.simulator.workload.JobSpec;

/** Sums over the tasks of one job, until they make a {@link JobSpec}. */
final class JobFigures {
  /**
   * Cycles of a second of CPU time.
   *
   * <p>Own: traces say how long tasks computed, not on what; the processor of a common server of
   * the time of the traces, 2.4 GHz, stands for it.
   */
  static final double CYCLES_PER_CPU_SECOND = 2.4e9;

  long inputBytes;
  long mapOutputBytes;
  long outputBytes;
  long shuffleReadBytes;
  long mapCpuNanos;
  long reduceCpuNanos;
  long mapCount;
  long reduceCount;

  void addInput(long bytes) {
    inputBytes = sum(inputBytes, bytes);
  }

  void addMapOutput(long bytes) {
    mapOutputBytes = sum(mapOutputBytes, bytes);
  }

  void addShuffleRead(long bytes) {
    shuffleReadBytes = sum(shuffleReadBytes, bytes);
  }

  void addOutput(long bytes) {
    outputBytes = sum(outputBytes, bytes);
  }

  void addCpuNanos(boolean map, long nanos) {
    if (map) {
      mapCpuNanos = sum(mapCpuNanos, nanos);
    } else {
      reduceCpuNanos = sum(reduceCpuNanos, nanos);
    }
  }

  /** Saturates just above what a job may have, so that no sum overflows and the check sees it. */
  private static long sum(long a, long b) {
    return Math.min(a + b, TraceLimits.BYTES_MAX + 1);
  }

  /**
   * The job.
   *
   * @param where file and line, for the message
   * @throws BadRowException when the sums are more than a job may have
   */
  JobSpec job(String where, String name, String application) throws BadRowException {
    String of = where + ": job " + TraceException.quoted(name) + ": ";
    requireAtMost(of + "input bytes", inputBytes, TraceLimits.BYTES_MAX);
    requireAtMost(of + "map output bytes", mapOutputBytes, TraceLimits.BYTES_MAX);
    requireAtMost(of + "output bytes", outputBytes, TraceLimits.BYTES_MAX);
    requireAtMost(of + "CPU nanoseconds of maps", mapCpuNanos, TraceLimits.BYTES_MAX);
    requireAtMost(of + "CPU nanoseconds of reducers", reduceCpuNanos, TraceLimits.BYTES_MAX);
    requireAtMost(of + "maps", mapCount, TraceLimits.TASKS_MAX);
    requireAtMost(of + "reducers", reduceCount, TraceLimits.TASKS_MAX);
    // Maps write the output of a job without reducers alone.
    long mapBytes = inputBytes > 0 || mapOutputBytes > 0 ? inputBytes : outputBytes;
    return new JobSpec(
        name,
        application,
        0,
        inputBytes > 0 ? TraceJobs.ownInput(name) : "",
        "",
        inputBytes,
        inputBytes,
        mapOutputBytes,
        outputBytes,
        (int) Math.max(1, mapCount),
        mapOutputBytes > 0 ? (int) reduceCount : 0,
        cyclesPerByte(mapCpuNanos, mapBytes),
        cyclesPerByte(reduceCpuNanos, mapOutputBytes),
        1,
        taskSeconds(mapBytes),
        0);
  }

  /**
   * Own: computing that goes with no bytes (a simulation, say) takes each task equally long, so
   * that it is not lost.
   */
  private double taskSeconds(long mapBytes) {
    double cpuSeconds = 0;
    cpuSeconds += mapBytes > 0 ? 0 : mapCpuNanos * 1e-9;
    cpuSeconds += mapOutputBytes > 0 ? 0 : reduceCpuNanos * 1e-9;
    long tasks = Math.max(1, mapCount) + (mapOutputBytes > 0 ? reduceCount : 0);
    return cpuSeconds / tasks;
  }

  private static void requireAtMost(String what, long value, long max) throws BadRowException {
    if (value > max) {
      throw new BadRowException(what + " are more than " + max);
    }
  }

  private static double cyclesPerByte(long cpuNanos, long bytes) {
    return bytes > 0 ? cpuNanos * 1e-9 * CYCLES_PER_CPU_SECOND / bytes : 0;
  }
}
