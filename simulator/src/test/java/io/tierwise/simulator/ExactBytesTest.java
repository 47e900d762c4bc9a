package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks read, and hand on, all bytes of their job, however these divide among them. */
class ExactBytesTest {
  private static final String JOB =
      """
      nodes: {n: {map-slots: 8, reduce-slots: 8, volumes: [{device: hdd}]}}
      cluster: {racks: [{nodes: [{kind: n, count: 5}]}]}
      policies: {replication: 1, block: 1 GB}
      model: {job-start: 0 s, task-start: 0 s, slow-start: %s, shuffle-sources-max: %d}
      workload:
        applications:
          jobs:
            - application: graph
              stages:
                - {name: map, tasks: %d, input: %d B, between: %d B}
                - {name: reduce, tasks: %d, after: map}
      """;

  @ParameterizedTest
  @CsvSource({
    "100%, 16, 49, 1, 1, 49",
    "100%, 16, 49, 1000003, 1000003, 107",
    "5%, 16, 49, 1000003, 1000003, 107",
    "5%, 2, 107, 999999937, 999999937, 49",
    "100%, 2, 98, 3, 5, 13",
  })
  void noByteIsLostAndNoneComesTwice(
      String slowStart, int sources, int maps, long input, long between, int reducers)
      throws IOException {
    String yaml = JOB.formatted(slowStart, sources, maps, input, between, reducers);
    RunResult result =
        Simulation.of(ScenarioFiles.parse(yaml, "s").scenario())
            .checkBetween(0, 1_000)
            .run(Progress.NONE);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.reads().bytes()).isEqualTo(input);
    assertThat(result.network().shuffleBytes()).isEqualTo(between);
  }
}
