package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job that fails leaves, and that others go on. */
class FailedJobsTest {
  @TempDir private Path folder;

  /** The first job lacks room for its last block; the second one needs as much as it had. */
  private static Simulation full(int mapSlots) {
    String yaml =
        """
        nodes: {n: {map-slots: %d, volumes: [{device: d, capacity: 35 MB}]}}
        devices: {d: {read: 100 MB/s, write: 100 MB/s}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1, block: 10 MB}
        workload:
          applications:
            jobs:
              - {application: q, name: q, stages: [{name: a, tasks: 2, output: 40 MB}]}
              - {application: r, after: q, stages: [{name: a, tasks: 1, output: 30 MB}]}
        """;
    return Simulation.of(ScenarioFiles.parse(yaml.formatted(mapSlots), "s").scenario())
        .checkBetween(0, 1000);
  }

  private static long storedBytes(Simulation simulation) {
    return simulation.context().placer().placedBytes()
        - simulation.context().placer().droppedBytes();
  }

  /** Two tasks at once are both in the middle; of two one after the other the first is done. */
  @ParameterizedTest
  @CsvSource({"2, 1, 30000000", "1, 0, 20000000"})
  void onlyWhatTasksThatAreDoneWroteStays(int mapSlots, int finished, long stored)
      throws IOException {
    Simulation simulation = full(mapSlots);
    RunResult result = simulation.run(Progress.NONE);

    assertThat(result.jobs().firstFailure()).contains("no volume has room");
    assertThat(result.jobs().finished()).isEqualTo(finished);
    assertThat(storedBytes(simulation)).isEqualTo(stored);
  }

  @Test
  void reducersThatNoNodeHasSlotsForFailTheirJobAndNoOther() throws IOException {
    Path trace =
        Files.writeString(
            folder.resolve("t.tsv"),
            "reduces\t0\t0\t1000000\t1000\t1000\nmaps\t0\t0\t1000000\t0\t1000\n");
    String yaml =
        """
        nodes: {n: {reduce-slots: 0, volumes: [hdd]}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1}
        workload: {trace: {format: swim, file: %s}}
        """;
    RunResult result =
        Simulation.of(ScenarioFiles.parse(yaml.formatted(trace), "s").scenario())
            .checkBetween(0, 1000)
            .run(Progress.NONE);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().firstFailure())
        .isEqualTo("reduces: no node has slots for its tasks: set reduce-slots above 0");
  }

  /** The second stage has no room for its output; what the first one handed it was not written. */
  @Test
  void whatItsTasksHandedOnGoesWithIt() throws IOException {
    String yaml =
        """
        nodes:
          n:
            write-buffer: 1 GB
            volumes: [{device: d, capacity: 35 MB, temporary: false}, {device: s, data: false}]
        devices:
          d: {read: 100 MB/s, write: 100 MB/s}
          s: {read: 100 MB/s, write: 100 MB/s}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1, block: 10 MB}
        workload:
          applications:
            jobs:
              - application: q
                stages:
                  - {name: a, tasks: 2, between: 20 MB}
                  - {name: b, tasks: 1, output: 40 MB, after: [a]}
        """;
    RunResult result =
        Simulation.of(ScenarioFiles.parse(yaml, "s").scenario())
            .checkBetween(0, 1000)
            .run(Progress.NONE);

    assertThat(result.jobs().firstFailure()).contains("no volume has room");
    assertThat(result.jobs().mapTasks()).isEqualTo(2);
    int scratch = result.cost().deviceClasses().indexOf("s");
    assertThat(result.cost().writtenBytesByClass()[scratch]).isZero();
  }
}
