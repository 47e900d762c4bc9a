package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes are given tasks with their heartbeats, every h seconds. A map takes s seconds to start and
 * reads a block of its own in next to no time.
 */
class HeartbeatsOfTasksTest {
  private static final double START = 10;

  /** More than reading takes, and far less than an interval. */
  private static final double READ = 0.05;

  @TempDir private Path folder;

  private int nodes = 1;
  private int slots = 1;
  private String scheduler = "fifo:delay-seconds=0";
  private String others = "";

  private double seconds(int maps, double heartbeat) throws IOException {
    Path trace = folder.resolve("jobs.json");
    Files.writeString(
        trace,
        "{\"id\": \"a\", \"submit_millis\": 0, \"input_bytes\": %d, \"maps\": %d}\n%s"
            .formatted(maps * (1L << 20), maps, others));
    String yaml =
        """
        nodes: {n: {cores: 16, map-slots: %d, volumes: [{device: ssd}]}}
        devices: {ssd: {read: 4 GB/s, write: 4 GB/s}}
        cluster: {racks: [{nodes: [{kind: n, count: %d}]}]}
        policies: {replication: 1, block: 1 MiB, scheduler: "%s"}
        model: {job-start: 0 s, task-start: %s s, map-cycles: 0, heartbeat: %s s}
        workload: {trace: {format: jobs, file: %s}}
        """
            .formatted(slots, nodes, scheduler, START, heartbeat, trace);
    return Simulation.of(ScenarioFiles.parse(yaml, "s").scenario())
        .checkBetween(0, 1000)
        .run(Progress.NONE)
        .makespanSeconds();
  }

  /** One slot: a map that takes t seconds keeps it until the next heartbeat, ceil(t / h) h. */
  @ParameterizedTest
  @CsvSource({"3, 12", "4, 12", "10, 20", "6, 12", "25, 25"})
  void aSlotIsIdleUntilTheNextHeartbeat(double heartbeat, double cycle) throws IOException {
    assertThat(seconds(5, heartbeat)).isCloseTo(4 * cycle + START, within(READ));
    assertThat(seconds(5, 0)).isCloseTo(5 * START, within(5 * READ));
  }

  /** With a task a heartbeat the last of m maps starts at (m - 1) h. */
  @Test
  void aHeartbeatGivesNoMoreTasksThanThePolicySays() throws IOException {
    slots = 6;

    assertThat(seconds(6, 3)).isCloseTo(5 * 3 + START, within(READ));
    scheduler = "capacity";
    assertThat(seconds(6, 3)).isCloseTo(START, within(READ));
  }

  /** Node i of n sends its first heartbeat at h i / n; each has one slot. */
  @Test
  void nodesSendTheirHeartbeatsInTurn() throws IOException {
    nodes = 4;

    assertThat(seconds(4, 8)).isCloseTo(8 * 3 / 4.0 + START, within(READ));
  }

  /** A job that comes after a heartbeat waits for the next one. */
  @Test
  void aJobWaitsForAHeartbeatToo() throws IOException {
    slots = 2;
    others = "{\"id\": \"b\", \"submit_millis\": 3500, \"input_bytes\": 1048576, \"maps\": 1}\n";

    assertThat(seconds(1, 3)).isCloseTo(6 + START, within(READ));
    assertThat(seconds(1, 0)).isCloseTo(3.5 + START, within(READ));
  }
}
