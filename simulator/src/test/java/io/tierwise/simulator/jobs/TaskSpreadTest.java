package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskSpreadTest {
  /** One core a worker, slots for all maps on each: maps that meet on a node share its core. */
  private static final String SHARED_STORAGE =
      """
      nodes:
        worker:
          cores: 1
          clock: 280 MHz
          map-slots: 4
          volumes: [{device: nvme-p3700, data: false}]
        storage: {map-slots: 0, reduce-slots: 0, volumes: [{device: nvme-p3700, temporary: false}]}
      cluster: {racks: [{nodes: [{kind: worker, count: 4}, storage]}]}
      policies: {replication: 1, block: 64 MiB}
      model: {job-start: 0 s, task-start: 0 s, locality-delay: %s}
      workload: {applications: {jobs: [{application: lsn/grep, scale: 0.025}]}}
      """;

  @Test
  void mapsWithoutLocalDataAreSpreadOverTheirRack() throws Exception {
    double oneMapSeconds = 40.0 * (64 << 20) / 280e6;
    for (String delay : new String[] {"0 s", "3 s"}) {
      double seconds =
          Simulation.of(ScenarioFiles.parse(SHARED_STORAGE.formatted(delay), delay).scenario())
              .run((now, jobs, share) -> true)
              .makespanSeconds();
      assertThat(seconds).as("delay of " + delay).isBetween(oneMapSeconds, oneMapSeconds + 4);
    }
  }

  /** Every node holds all data, so that each could take all four maps. */
  private static final String LOCAL_EVERYWHERE =
      """
      nodes:
        worker:
          cores: 1
          clock: 280 MHz
          map-slots: 4
          volumes: [{device: nvme-p3700}]
      cluster: {racks: [{nodes: [{kind: worker, count: 4}]}]}
      policies: {replication: 4, block: 64 MiB, scheduler: %s}
      model: {job-start: 0 s, task-start: 0 s}
      workload: {applications: {jobs: [{application: lsn/grep, scale: 0.025}]}}
      """;

  @ParameterizedTest
  @CsvSource({"fifo, 1", "fair, 1", "capacity, 4"})
  void nodesTakeLocalMapsInTurnAsTheSchedulerAssignsThem(String scheduler, int mapsOnANode)
      throws Exception {
    double oneMapSeconds = 40.0 * (64 << 20) / 280e6;
    double seconds =
        Simulation.of(
                ScenarioFiles.parse(LOCAL_EVERYWHERE.formatted(scheduler), scheduler).scenario())
            .run((now, jobs, share) -> true)
            .makespanSeconds();

    assertThat(seconds).isBetween(mapsOnANode * oneMapSeconds, mapsOnANode * oneMapSeconds + 4);
  }
}
