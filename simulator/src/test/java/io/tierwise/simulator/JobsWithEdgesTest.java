package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Jobs that come after others, on one node with slots for all. Starting a task takes ten seconds
 * and a job two; what tasks do then is next to nothing, but for reading.
 */
class JobsWithEdgesTest {
  private static final double JOB = 2;
  private static final double TASK = 10;
  private static final double REST = 0.5;
  private static final double READ_BYTES_PER_SECOND = 1e6;

  /** A thousandth of what TeraGen writes and Grep reads. */
  private static final double BYTES = (10L << 30) / 1000.0;

  private String pageCache = "0 B";
  private String capacity = "500 GB";

  private RunResult run(String... jobs) throws IOException {
    String yaml =
        """
        nodes:
          n: {map-slots: 8, reduce-slots: 8, page-cache: %s, volumes: [{device: d, capacity: %s}]}
        devices: {d: {read: 1 MB/s, write: 4 GB/s}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1, block: 1 MiB}
        model: {job-start: 2 s, task-start: 10 s, slow-start: 1, write-through: true}
        workload: {applications: {jobs: [%s]}}
        """
            .formatted(pageCache, capacity, String.join(", ", jobs));
    return Simulation.of(ScenarioFiles.parse(yaml, "s").scenario())
        .checkBetween(0, 1000)
        .run(Progress.NONE);
  }

  /** A job of one map, which makes what it writes. */
  private static String made(String edges) {
    return "{application: lsn/teragen, scale: 0.001, " + edges + "}";
  }

  /** A job of a map and a reducer on 100 bytes. */
  private static String small(String edges) {
    return "{application: lsn/small, scale: 0.001, " + edges + "}";
  }

  /** The critical path: one map, then a map and a reducer beside one map, then one map. */
  @Test
  void aRunTakesItsLongestWayThroughTheJobs() throws IOException {
    String[] jobs = {
      made("name: last, after: [long, short]"),
      made("name: short, after: first"),
      small("name: long, after: first"),
      made("name: first")
    };

    assertThat(run(jobs).makespanSeconds()).isCloseTo(3 * JOB + 4 * TASK, within(REST));
    assertThat(run(made("name: a"), made("name: b"), small("name: c")).makespanSeconds())
        .as("without edges")
        .isCloseTo(JOB + 2 * TASK, within(REST));
  }

  /** Twenty maps take eight slots three times. */
  @Test
  void allEqualJobsAreOverBeforeWhatComesAfterThem() throws IOException {
    assertThat(run(made("name: a, count: 20"), made("after: a")).makespanSeconds())
        .isCloseTo(JOB + 3 * TASK + JOB + TASK, within(REST));
  }

  /** A map that reads what was written reads it from the page cache when it is there. */
  @Test
  void aJobReadsWhatTheOneBeforeItWrote() throws IOException {
    String[] jobs = {made("name: gen"), "{application: lsn/grep, scale: 0.001, reads: gen}"};
    double starts = 2 * JOB + 3 * TASK;

    RunResult cold = run(jobs);
    assertThat(cold.makespanSeconds())
        .isCloseTo(starts + BYTES / READ_BYTES_PER_SECOND, within(REST));
    pageCache = "1 GB";
    assertThat(run(jobs).makespanSeconds()).isCloseTo(starts, within(REST));
    jobs[1] = "{application: lsn/grep, scale: 0.001, after: gen}";
    assertThat(run(jobs).makespanSeconds())
        .as("its own input is in no page cache")
        .isCloseTo(cold.makespanSeconds(), within(REST));
  }

  /** TeraGen does not fit; what it wrote is not whole. */
  @Test
  void whatReadsTheOutputOfAJobThatFailedFailsToo() throws IOException {
    capacity = "100 MB";
    RunResult result =
        run(
            "{application: lsn/teragen, scale: 0.02, name: gen}",
            "{application: lsn/grep, scale: 0.02, reads: gen, name: grep}",
            small("after: [gen, grep]"));

    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().failed()).isEqualTo(2);
    assertThat(result.jobs().finished()).isEqualTo(1);
  }
}
