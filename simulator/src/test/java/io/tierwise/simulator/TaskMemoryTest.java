package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks share the memory of their node. Starting a task takes a thousand seconds, and nothing else
 * takes long, so that a run takes as many thousands as it has waves of tasks.
 */
class TaskMemoryTest {
  private static final double WAVE = 1000;

  /** More than all work of a run but the starts, and far less than one. */
  private static final double REST = 200;

  private static final String NODE =
      """
      nodes:
        n:
          {cores: 16, map-slots: %d, reduce-slots: 4, task-memory: %s, volumes: [{device: ssd}]}
      devices: {ssd: {read: 4 GB/s, write: 4 GB/s}}
      cluster: {racks: [{nodes: [{kind: n, count: %d}]}]}
      policies: {replication: 1, block: 64 MiB, scheduler: "fifo:delay-seconds=0"}
      model: {job-start: 0 s, task-start: 1000 s, slow-start: 1}
      workload: {applications: {jobs: [%s]}}
      """;

  private static RunResult run(int slots, String memory, int nodes, String jobs)
      throws IOException {
    return Simulation.of(
            ScenarioFiles.parse(NODE.formatted(slots, memory, nodes, jobs), "s").scenario())
        .checkBetween(0, 100_000)
        .run(Progress.NONE);
  }

  /** Jobs with a block for each of so many maps, and one reducer. */
  private static String grep(int maps, String mapMemory, String reduceMemory) {
    return "{application: lsn/grep, scale: %s, map-memory: %s, reduce-memory: %s}"
        .formatted(maps / 160.0, mapMemory, reduceMemory);
  }

  @ParameterizedTest
  @CsvSource({
    "8 GiB, 1 GiB, 16, 2",
    "8 GiB, 3 GiB, 16, 8",
    "8 GiB, 8 GiB, 5, 5",
    "7.5 GiB, 2 GiB, 10, 4",
    "8192 MiB, 2049 MiB, 9, 3",
    "1000 GiB, 1 B, 16, 1",
    "none, 100 GiB, 16, 1",
    "0 B, 0 B, 16, 1"
  })
  void asManyTasksRunAtATimeAsFitIntoTheMemory(String memory, String mapMemory, int maps, int waves)
      throws IOException {
    double seconds = run(16, memory, 1, grep(maps, mapMemory, "0 B")).makespanSeconds();

    assertThat(seconds).isBetween((waves + 1) * WAVE, (waves + 1) * WAVE + REST);
  }

  @Test
  void memoryForThreeTasksIsLikeThreeSlots() throws IOException {
    RunResult memory = run(16, "10 GiB", 2, grep(20, "3 GiB", "0 B"));
    RunResult slots = run(3, "none", 2, grep(20, "3 GiB", "0 B"));

    assertThat(memory.makespanSeconds()).isCloseTo(slots.makespanSeconds(), within(0.01));
  }

  /** A reducer gets what its job's maps held, and a map of the next job what the reducer held. */
  @Test
  void memoryServesSlotsOfBothKinds() throws IOException {
    String jobs = grep(2, "1 GiB", "2 GiB") + ", " + grep(2, "2 GiB", "1 GiB");
    double seconds = run(4, "2 GiB", 1, jobs).makespanSeconds();

    int waves = 1 + 1 + 2 + 1;
    assertThat(seconds).isBetween(waves * WAVE, waves * WAVE + REST);
  }

  /** What a large task held serves all small ones that fit. */
  @Test
  void memoryOfOneTaskServesSeveral() throws IOException {
    String jobs = grep(1, "4 GiB", "0 B") + ", " + grep(4, "1 GiB", "0 B");
    double seconds = run(4, "4 GiB", 1, jobs).makespanSeconds();

    assertThat(seconds).isBetween(3 * WAVE, 3 * WAVE + REST);
  }

  /** Else the small ones, of which there is always one that fits, would pass by until the end. */
  @Test
  void aLargeTaskOfAnOlderJobIsNotPassedByForEver() throws IOException {
    String jobs = grep(1, "1 GiB", "4 GiB") + ", " + grep(40, "1 GiB", "0 B");
    RunResult result = run(4, "4 GiB", 1, jobs);

    double[] seconds = result.jobTimes().seconds();
    assertThat(Arrays.stream(seconds).min().orElseThrow()).isLessThan(3 * WAVE + REST);
    assertThat(result.jobs().finished()).isEqualTo(2);
  }

  /** Else reducers would wait for the output of maps that were lost, and these for their memory. */
  @Test
  void mapsThatRunAgainGetTheMemoryOfTheirReducers() throws IOException {
    String job =
        "{application: lsn/terasort, scale: 0.05, map-memory: 1 GiB, reduce-memory: 4 GiB}";
    RunResult result =
        Simulation.of(
                ScenarioFiles.parse(NODE.formatted(4, "4 GiB", 2, job), "s")
                    .with("policies.replication=2", "test")
                    .with("faults=[{node: node-0, at: 1500 s}]", "test")
                    .scenario())
            .checkBetween(0, 100_000)
            .run(Progress.NONE);

    assertThat(result.jobs().finished()).as(result.jobs().firstFailure()).isEqualTo(1);
    assertThat(result.makespanSeconds()).isBetween(4.5 * WAVE, 4.5 * WAVE + REST);
  }

  @Test
  void nodesThatCannotHoldALargeTaskRunTheSmallOnes() throws IOException {
    String two =
        """
        nodes:
          small: {cores: 16, task-memory: 1 GiB, volumes: [{device: ssd}]}
          large: {based-on: small, task-memory: 4 GiB}
        devices: {ssd: {read: 4 GB/s, write: 4 GB/s}}
        cluster: {racks: [{nodes: [{kind: small, count: 2}, large]}]}
        policies: {replication: 1, block: 64 MiB, scheduler: "fifo:delay-seconds=0"}
        model: {job-start: 0 s, task-start: 1000 s, slow-start: 1}
        workload: {applications: {jobs: [%s]}}
        """
            .formatted(grep(3, "4 GiB", "0 B") + ", " + grep(6, "1 GiB", "0 B"));
    double seconds =
        Simulation.of(ScenarioFiles.parse(two, "s").scenario())
            .checkBetween(0, 100_000)
            .run(Progress.NONE)
            .makespanSeconds();

    assertThat(seconds).as("three maps after each other, a reducer").isLessThan(4 * WAVE + REST);
  }

  /** The check after every event says that no node's tasks hold more than it has. */
  @ParameterizedTest
  @ValueSource(strings = {"fifo", "fair", "capacity", "smallest-first"})
  void anyMixOfJobsAndFaultsStaysBelowTheMemoryAndRunsToTheEnd(String scheduler)
      throws IOException {
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      boolean fails = seed % 2 == 0;
      int count = 2 + random.nextInt(5);
      List<String> jobs = new ArrayList<>();
      for (int job = 0; job < count; job++) {
        jobs.add(
            "{application: lsn/%s, scale: %s, map-memory: %d MiB, reduce-memory: %d MiB}"
                .formatted(
                    random.nextBoolean() ? "terasort" : "grep",
                    0.02 + random.nextDouble() / 20,
                    random.nextInt(4097),
                    random.nextInt(4097)));
      }
      RunResult result =
          Simulation.of(
                  ScenarioFiles.parse(mix(scheduler, seed, random, fails, jobs), "s").scenario())
              .checkBetween(0, 100_000)
              .run(Progress.NONE);

      assertThat(result.complete()).isTrue();
      assertThat(result.jobs().finished() + result.jobs().failed())
          .as("seed %d", seed)
          .isEqualTo(count);
      assertThat(fails || result.jobs().failed() == 0).as("seed %d", seed).isTrue();
    }
  }

  private static String mix(
      String scheduler, int seed, Random random, boolean fails, List<String> jobs) {
    return """
        seed: %d
        nodes:
          large: {cores: 4, map-slots: 8, task-memory: 4 GiB, volumes: [{device: hdd, count: 2}]}
          any: {based-on: large, task-memory: %d MiB}
        cluster:
          racks:
            - {nodes: [{kind: large, count: 2}, {kind: any, count: 2}]}
            - {nodes: [{kind: any, count: 3}]}
        policies: {replication: 3, block: 64 MiB, scheduler: %s}
        model: {speculative: true, stragglers: 0.1, slow-start: 0.05}
        workload: {applications: {arrival: {poisson: 6 /min}, jobs: [%s]}}
        faults: [%s]
        """
        .formatted(
            seed,
            random.nextInt(4097),
            scheduler,
            String.join(", ", jobs),
            fails
                ? "{node: node-%d, at: %d s, until: 300 s}, {device: node-1/0, at: %d s}"
                    .formatted(random.nextInt(7), random.nextInt(60), random.nextInt(90))
                : "");
  }
}
