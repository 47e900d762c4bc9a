package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSources;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far a run says it is, beside how far it is: the share of its events that it has handled. */
class ProgressTest {
  private static final String CLUSTER =
      """
      cluster: {racks: [{count: 2, nodes: [{kind: disk-node, count: 2}, ssd-node]}]}
      """;

  /**
   * Tasks cost different numbers of events: less than a third of the way is near enough for a bar.
   */
  private static final double OFF_MAX = 0.3;

  private static final int EVENTS_PER_LOOK = 50;

  @TempDir private Path folder;

  private record Look(long looks, double share) {}

  private static double workOf(Scenario scenario) throws IOException {
    double work = 0;
    Deque<JobSpec> running = new ArrayDeque<>();
    try (JobSource source = JobSources.open(scenario.workload(), new SplittableRandom(1))) {
      for (JobSpec job = source.next(); job != null || !running.isEmpty(); job = source.next()) {
        if (job != null) {
          work += Work.of(job);
          running.add(job);
        } else {
          source.finished(running.remove(), 0);
        }
      }
    }
    return work;
  }

  private static List<Look> looks(Scenario scenario) throws IOException {
    List<Look> looks = new ArrayList<>();
    Simulation.of(scenario)
        .expectWork(workOf(scenario))
        .updateEvery(EVENTS_PER_LOOK)
        .run(
            (seconds, jobs, share) -> {
              looks.add(new Look(looks.size(), share));
              return true;
            });
    return looks;
  }

  private static void assertPlausible(List<Look> looks) {
    assertThat(looks).hasSizeGreaterThan(20);
    double before = 0;
    for (Look look : looks) {
      assertThat(look.share()).isBetween(before, 1.0);
      before = look.share();
      double really = (double) look.looks() / looks.size();
      assertThat(look.share())
          .as("at %s of its events", really)
          .isBetween(really - OFF_MAX, really + OFF_MAX);
    }
    assertThat(before).as("at the end").isGreaterThan(0.9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dfsio: {tasks: 120, file: 200 MB}",
        "applications: {arrival: together, jobs: [{application: lsn/grep, count: 3}, lsn/terasort]}",
        "applications: {arrival: one-after-another, jobs: [lsn/grep, lsn/terasort, lsn/grep]}",
        "applications: {arrival: {clients: 2, think: 5 s}, jobs: [{application: lsn/grep, count: 6}]}",
        "applications: {arrival: {poisson: 6 /min}, jobs: [{application: lsn/grep, count: 6}]}"
      })
  void theShareDoneFollowsTheTasksAndNeverGoesBack(String workload) throws IOException {
    assertPlausible(
        looks(ScenarioFiles.parse(CLUSTER + "workload: {" + workload + "}\n", "p").scenario()));
  }

  /** A short trace is in memory at once: how much of the file was read says nothing. */
  @Test
  void aShortTraceIsNotDoneWhenItIsRead() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int job = 0; job < 60; job++) {
      rows.append("job").append(job).append('\t').append(20 * job);
      rows.append("\t20\t1000000000\t100000000\t100000000\t/in/").append(job).append('\n');
    }
    Path trace = Files.writeString(folder.resolve("short.tsv"), rows);
    String workload = "workload: {trace: {format: swim, file: '" + trace + "'}}\n";
    assertPlausible(looks(ScenarioFiles.parse(CLUSTER + workload, "p").scenario()));
  }
}
