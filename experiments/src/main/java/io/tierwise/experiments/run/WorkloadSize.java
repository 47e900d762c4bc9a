package io.tierwise.experiments.run;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.BadRows;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSources;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The size of a workload, found by reading it once, so that errors of a trace are reported before
 * anything runs.
 *
 * @param inputBytes of different paths, each as large as the job that reads most of it says
 * @param work of all jobs together, to tell how far a run is
 * @param skipped rows of a trace, on the scenario's request
 * @param warning an oddity that is no error; empty when there is none
 */
public record WorkloadSize(
    long jobs,
    double inputBytes,
    double mapOutputBytes,
    double outputBytes,
    double work,
    BadRows skipped,
    String warning) {
  private static final double SECONDS_A_DAY = 86_400;

  /** Simulated time ends after 106 days. */
  private static final double SUBMIT_SECONDS_MAX = 100 * SECONDS_A_DAY;

  /** Remarks for the user, a line each. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (skipped.count() > 0) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d bad %s of the trace %s skipped, the first: %s",
              skipped.count(),
              skipped.count() == 1 ? "row" : "rows",
              skipped.count() == 1 ? "is" : "are",
              skipped.first()));
    }
    if (!warning.isEmpty()) {
      remarks.add(warning);
    }
    return remarks;
  }

  /**
   * Reads the workload of each case, equal ones once; says what is odd about them; refuses what
   * does not fit into memory.
   *
   * @param remark hears each oddity, in one line
   * @return a size a case
   */
  public static List<WorkloadSize> check(
      List<CaseSpec> cases, int threads, Consumer<String> remark) {
    List<WorkloadSize> sizes = new ArrayList<>();
    Map<WorkloadSpec, WorkloadSize> known = new LinkedHashMap<>();
    for (CaseSpec each : cases) {
      WorkloadSize size =
          known.computeIfAbsent(each.scenario().workload(), workload -> of(each.scenario()));
      MemoryNeed.require(each.label(), MemoryNeed.ofRun(each.scenario(), size), threads);
      sizes.add(size);
    }
    Set<String> remarks = new LinkedHashSet<>();
    known.values().forEach(size -> remarks.addAll(size.remarks()));
    remarks.forEach(remark);
    return sizes;
  }

  /** The cases with the work that their sizes expect. */
  public static List<CaseSpec> expect(List<CaseSpec> cases, List<WorkloadSize> sizes) {
    return IntStream.range(0, cases.size())
        .mapToObj(i -> cases.get(i).withWork(sizes.get(i).work()))
        .toList();
  }

  public static WorkloadSize of(Scenario scenario) {
    if (scenario.workload() instanceof WorkloadSpec.Trace trace && !Files.exists(trace.file())) {
      throw OperatorException.badInput(
          trace.file()
              + ": does not exist: fetch the trace (the scenario's first lines may say where), and"
              + " give --set workload.trace.file=PATH");
    }
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

  private static void requireInTime(JobSpec job) throws IOException {
    if (job.submitSeconds() > SUBMIT_SECONDS_MAX) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "job %s would arrive after %,.0f days, a run has at most %,.0f: use a smaller"
                  + " time-scale, think time or time between jobs",
              job.name(),
              job.submitSeconds() / SECONDS_A_DAY,
              SUBMIT_SECONDS_MAX / SECONDS_A_DAY));
    }
  }

  /** Each job is over at once, so that closed loops go on. */
  private static WorkloadSize read(JobSource source) throws IOException {
    long jobs = 0;
    double input = 0;
    Map<String, Long> largest = new HashMap<>();
    double mapOutput = 0;
    double output = 0;
    double work = 0;
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
        work += Work.of(job);
        seconds = Math.max(seconds, job.submitSeconds());
        requireInTime(job);
        running.add(job);
        if (running.size() > 1) {
          source.finished(running.remove(), seconds);
        }
      } else if (running.isEmpty()) {
        return new WorkloadSize(
            jobs, input, mapOutput, output, work, source.badRows(), source.warning());
      } else {
        source.finished(running.remove(), seconds);
      }
    }
  }
}
