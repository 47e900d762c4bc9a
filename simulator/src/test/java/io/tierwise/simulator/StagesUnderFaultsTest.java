package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs of random graphs while nodes and devices fail: all of them end, and every invariant holds
 * after every event.
 */
class StagesUnderFaultsTest {
  private static final int JOBS = 6;

  private static String yaml(int seed, String scheduler, String model) {
    Random random = new Random(seed);
    List<String> jobs = new ArrayList<>();
    for (int job = 0; job < JOBS; job++) {
      jobs.add(
          "{application: graph-%d, map-memory: 1 GB, reduce-memory: 1 GB, stages: [%s]}"
              .formatted(job, stages(random)));
    }
    return """
        nodes:
          n:
            map-slots: 2
            reduce-slots: 1
            page-cache: 64 MB
            write-buffer: 32 MB
            task-memory: %s
            volumes: [{device: hdd, count: 2, capacity: 100 GB}]
        cluster: {racks: [{nodes: [{kind: n, count: 6}]}]}
        policies: {replication: 3, block: 16 MiB, scheduler: "%s"}
        model: {job-start: 1 s, task-start: 1 s, sort: 8 MB, reduce-buffer: 8 MB, %s}
        faults:
          - {at: 12 s, node: node-1, until: 30 s}
          - {at: 15 s, device: node-3/1}
          - {at: 21 s, node: node-4}
          - {at: 27 s, device: node-0/0}
        workload: {applications: {jobs: [%s]}}
        """
        .formatted(
            scheduler.contains("memory") ? "2 GB" : "none",
            scheduler.replace(" memory", ""),
            model,
            String.join(", ", jobs));
  }

  /** Each stage takes some of those before it, the first ones read. */
  private static String stages(Random random) {
    List<String> stages = new ArrayList<>();
    int count = 3 + random.nextInt(5);
    boolean[] isTaken = new boolean[count];
    List<List<String>> after = new ArrayList<>();
    for (int stage = 0; stage < count; stage++) {
      List<String> first = new ArrayList<>();
      for (int other = 0; other < stage; other++) {
        if (random.nextInt(3) == 0) {
          first.add("s" + other);
          isTaken[other] = true;
        }
      }
      after.add(first);
    }
    for (int stage = 0; stage < count; stage++) {
      boolean reads = after.get(stage).isEmpty() || random.nextInt(4) == 0;
      stages.add(
          "{name: s%d, tasks: %d, input: %d MB, after: %s, cycles: 20, %s: %d MB}"
              .formatted(
                  stage,
                  1 + random.nextInt(6),
                  reads ? 1 + random.nextInt(100) : 0,
                  after.get(stage),
                  isTaken[stage] ? "between" : "output",
                  1 + random.nextInt(60)));
    }
    return String.join(", ", stages);
  }

  @ParameterizedTest
  @CsvSource({
    "1, fifo, spills: afterwards",
    "2, fair, spills: afterwards",
    "3, capacity, spills: afterwards",
    "4, fifo:late-factor=1.1, 'stragglers: 20%, straggler-factor: 10'",
    "5, fair memory, spills: afterwards",
    "6, fifo memory, 'stragglers: 20%, straggler-factor: 10'",
    "7, fifo, spills: meanwhile",
    "8, fair, phases: series",
    "9, capacity, heartbeat: 1 s"
  })
  void allJobsEndWhateverFails(int seed, String scheduler, String model) throws IOException {
    RunResult result =
        Simulation.of(ScenarioFiles.parse(yaml(seed, scheduler, model), "s").scenario())
            .checkBetween(0, 10_000)
            .run(Progress.NONE);

    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().finished() + result.jobs().failed()).isEqualTo(JOBS);
    assertThat(result.jobs().finished()).as(result.jobs().firstFailure()).isPositive();
    assertThat(result.jobs().killedTasks()).as("something was lost").isPositive();
  }
}
