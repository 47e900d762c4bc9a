package io.tierwise.simulator.workload.trace;

import io.tierwise.simulator.workload.BadRows;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The content of a workload, counted exactly: to compare a trace with published figures.
 *
 * @param paths different input paths, also those that a job names but reads 0 bytes of
 * @param sharedPaths input paths that more than one job names
 * @param readsOfOnePathMax jobs that name the most popular path
 * @param mapOnlyJobs jobs without map output
 * @param lastSubmitSeconds submit time of the last job
 */
public record TraceSummary(
    long jobs,
    long paths,
    long sharedPaths,
    long readsOfOnePathMax,
    long mapOnlyJobs,
    double inputBytes,
    double mapOutputBytes,
    double outputBytes,
    double lastSubmitSeconds,
    BadRows badRows) {

  /**
   * Reads an open workload to its end. Keeps every path: for a look at a trace, not for a run.
   *
   * @param source left open
   */
  public static TraceSummary of(JobSource source) throws IOException {
    Map<String, Long> reads = new HashMap<>();
    long jobs = 0;
    long mapOnly = 0;
    double input = 0;
    double mapOutput = 0;
    double output = 0;
    double last = 0;
    for (JobSpec job = source.next(); job != null; job = source.next()) {
      jobs++;
      if (!job.inputPath().isEmpty()) {
        reads.merge(job.inputPath(), 1L, Long::sum);
      }
      mapOnly += job.mapOutputBytes() == 0 ? 1 : 0;
      input += job.inputBytes();
      mapOutput += job.mapOutputBytes();
      output += job.outputBytes();
      last = job.submitSeconds();
    }
    return new TraceSummary(
        jobs,
        reads.size(),
        reads.values().stream().filter(count -> count > 1).count(),
        reads.values().stream().mapToLong(Long::longValue).max().orElse(0),
        mapOnly,
        input,
        mapOutput,
        output,
        last,
        source.badRows());
  }
}
