package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ticks reach 106 days: a run that takes longer is refused, in whatever it would go on. */
class EndOfTimeTest {
  private static final String ONE_NODE =
      """
      nodes: {n: {map-slots: 1, page-cache: 0 B, volumes: [{device: d, capacity: 1000 PB}]}}
      devices: {d: {read: 1 MB/s, write: 1 MB/s}}
      cluster: {racks: [{nodes: [n]}]}
      policies: {replication: 1, block: 100 PB}
      workload: %s
      """;

  /** A transfer, a task after the other, and the think time of a client. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{dfsio: {tasks: 1, file: 1 PB, write: false}}",
        "{applications: {jobs: [{application: a,"
            + " stages: [{name: s, tasks: 200, input: 1 kB, task-time: 1 d}]}]}}",
        "{applications: {arrival: {clients: 1, think: 50 d},"
            + " jobs: [{application: lsn/grep, scale: 0.001, count: 9}]}}",
      })
  void aRunThatDoesNotEndInTimeSaysSo(String workload) {
    Simulation simulation =
        Simulation.of(ScenarioFiles.parse(ONE_NODE.formatted(workload), "long").scenario());

    assertThatThrownBy(() -> simulation.run(Progress.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("would go on after 106 days, when simulated time ends");
  }

  /** More than half of all ticks are over by then. */
  @Test
  void aMovementBeginsOnAnyDay() throws IOException {
    String movement =
        """
        nodes: {n: {volumes: [{device: sata-ssd, capacity: 100 GB}, {device: hdd}]}}
        cluster: {racks: [{nodes: [{kind: n, count: 3}]}]}
        policies: {placement: "layout:3 x hdd"}
        stored: [{path: /w, size: 640 MB}]
        movement: [{at: 99 d, path: /w, placement: "1 x sata-ssd + 2 x hdd"}]
        workload: {dfsio: {tasks: 1, file: 1 MB}}
        """;
    RunResult result =
        Simulation.of(ScenarioFiles.parse(movement, "late").scenario()).run(Progress.NONE);

    assertThat(result.movements().get(0).bytes()).isEqualTo(640_000_000);
    assertThat(result.movements().get(0).complete()).isTrue();
  }

  /** A block takes a day and a half of its rate; with and without looks at how busy nodes are. */
  @ParameterizedTest
  @ValueSource(ints = {0, 16})
  void aMovementThatDoesNotEndInTimeSaysSo(int yieldAbove) {
    String movement =
        """
        nodes: {n: {volumes: [{device: sata-ssd, capacity: 100 GB}, {device: hdd}]}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {placement: "layout:1 x hdd", replication: 1}
        stored: [{path: /w, size: 2 GB}]
        movement: [{at: 99 d, path: /w, placement: 1 x sata-ssd, bandwidth: 1 kB/s, yield-above: %d}]
        workload: {dfsio: {tasks: 1, file: 1 MB}}
        """
            .formatted(yieldAbove);
    AtomicInteger updates = new AtomicInteger();
    Simulation simulation =
        Simulation.of(ScenarioFiles.parse(movement, "slow").scenario()).updateEvery(1000);

    assertThatThrownBy(
            () -> simulation.run((seconds, jobs, done) -> updates.incrementAndGet() < 2000))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("would go on after 106 days, when simulated time ends");
  }
}
