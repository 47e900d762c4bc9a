package io.tierwise.cli.simulate;

import io.tierwise.cli.OperatorException;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSources;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How much a workload holds, found by reading it once: what is wrong with a trace is said before
 * anything runs.
 *
 * @param inputBytes of different paths, each as large as the job that reads most of it says
 * @param skippedRows of a trace, on the scenario's request
 */
record WorkloadSize(
    long jobs, double inputBytes, double mapOutputBytes, double outputBytes, long skippedRows) {

  static WorkloadSize of(Scenario scenario) {
    try (JobSource source =
        JobSources.open(
            scenario.workload(), new RandomStreams(scenario.seed()).stream("workload", 0))) {
      return read(source);
    } catch (IOException e) {
      throw OperatorException.badInput(
          scenario.workload() instanceof WorkloadSpec.Trace trace
                  && !String.valueOf(e.getMessage()).contains(trace.file().toString())
              ? trace.file() + ": " + e.getMessage()
              : e.getMessage());
    }
  }

  /** Each job is over at once, so that closed loops go on. */
  private static WorkloadSize read(JobSource source) throws IOException {
    long jobs = 0;
    double input = 0;
    Map<String, Long> largest = new HashMap<>();
    double mapOutput = 0;
    double output = 0;
    double seconds = 0;
    Deque<JobSpec> running = new ArrayDeque<>();
    while (true) {
      JobSpec job = source.next();
      if (job != null) {
        jobs++;
        Long before = largest.get(job.inputPath());
        long known = before == null ? 0 : before;
        if (job.inputBytes() > known) {
          input += (double) (job.inputBytes() - known);
          largest.put(job.inputPath(), job.inputBytes());
        }
        mapOutput += job.mapOutputBytes();
        output += job.outputBytes();
        seconds = Math.max(seconds, job.submitSeconds());
        running.add(job);
        if (running.size() > 1) {
          source.finished(running.remove(), seconds);
        }
      } else if (running.isEmpty()) {
        return new WorkloadSize(jobs, input, mapOutput, output, source.badRows().count());
      } else {
        source.finished(running.remove(), seconds);
      }
    }
  }
}
