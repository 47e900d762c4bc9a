package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long maps wait for a slot near their data. All data of two maps is on one node with one slot;
 * another node has a slot, too, and a third one only fails now and then.
 */
class PatienceTest {
  private static final double MAP_SECONDS = 40.0 * (64 << 20) / 28e6;

  private static double seconds(String delay, String faults) throws IOException {
    String yaml =
        """
        nodes:
          data: {cores: 1, clock: 28 MHz, map-slots: 1, volumes: [{device: nvme-p3700}]}
          idle: {based-on: data, volumes: [{device: nvme-p3700, data: false}]}
          bystander: {based-on: idle, map-slots: 0, reduce-slots: 0}
        cluster: {racks: [{nodes: [data, idle, bystander]}]}
        policies: {replication: 1, block: 64 MiB}
        model: {job-start: 0 s, task-start: 0 s, locality-delay: %s}
        faults: [%s]
        workload: {applications: {jobs: [{application: lsn/grep, scale: 0.0125}]}}
        """
            .formatted(delay, faults);
    return Simulation.of(ScenarioFiles.parse(yaml, "s").scenario())
        .checkBetween(0, 10_000)
        .run(Progress.NONE)
        .makespanSeconds();
  }

  /** The first map takes 96 s. */
  @ParameterizedTest
  @CsvSource({"10 s, 10", "40 s, 40", "200 s, 95.8"})
  void whatHappensToOthersMakesNobodyMorePatient(String delay, double begins) throws IOException {
    String faults =
        IntStream.range(0, 48)
            .mapToObj(i -> "{at: %d s, node: node-2, until: %d s}".formatted(2 * i + 1, 2 * i + 2))
            .collect(Collectors.joining(", "));

    for (String each : new String[] {"", faults}) {
      assertThat(seconds(delay, each))
          .as(each)
          .isBetween(begins + MAP_SECONDS, begins + MAP_SECONDS + 5);
    }
  }

  /** From 5 s to 60 s the other node is down, so that no slot is free when the patience ends. */
  @ParameterizedTest
  @CsvSource({"10 s, 60", "70 s, 70"})
  void aSlotThatComesBackGoesToWhoHasWaitedLongEnough(String delay, double begins)
      throws IOException {
    assertThat(seconds(delay, "{at: 5 s, node: node-1, until: 60 s}"))
        .isBetween(begins + MAP_SECONDS, begins + MAP_SECONDS + 5);
  }
}
