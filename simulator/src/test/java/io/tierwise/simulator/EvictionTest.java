package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Files make room for others ({@code evict-when-full}) where room is what lacks, and only there.
 */
class EvictionTest {
  private static final String THREE_NODES =
      """
      nodes:
        n: {map-slots: 1, volumes: [{device: d, capacity: %s}]}
        small: {map-slots: 1, volumes: [{device: ssd, capacity: 120 MB}]}
        large: {map-slots: 1, volumes: [{device: d, capacity: 10 GB}]}
      devices:
        d: {read: 100 MB/s, write: 100 MB/s}
        ssd: {read: 500 MB/s, write: 500 MB/s}
      tiers: [%s{name: disk, device: d}]
      cluster: {racks: [{nodes: [%s]}]}
      policies: {replication: %d, block: 128 MiB}
      model: {evict-when-full: true}
      """;

  private static RunResult run(String cluster, String rest) throws IOException {
    return Simulation.of(ScenarioFiles.parse(cluster + rest, "s").scenario())
        .checkBetween(0, 1000)
        .run(Progress.NONE);
  }

  private static String equal(int nodes, String capacity, int replicas) {
    return THREE_NODES.formatted(capacity, "", "{kind: n, count: " + nodes + "}", replicas);
  }

  /** Nodes of which the small ones get full first. */
  private static String unequal(String nodes, int replicas) {
    return THREE_NODES.formatted("1 GB", "{name: ssd, device: ssd}, ", nodes, replicas);
  }

  @Test
  void theFileThatWasUsedLongestAgoMakesRoom() throws IOException {
    RunResult result =
        run(
            equal(1, "250 MB", 1),
            """
            stored: [{path: /old, files: 2, size: 100 MB}]
            workload: {dfsio: {tasks: 1, file: 100 MB, read: false}}
            """);

    assertThat(result.jobs().failed()).isZero();
    assertThat(result.writes().evictedBytes()).isEqualTo(100_000_000);
  }

  @Test
  void whereANodeLacksAndNotRoomNoFileIsDeleted() throws IOException {
    RunResult result =
        run(
            equal(3, "10 GB", 3),
            """
            stored: [{path: /old, files: 3, size: 100 MB}]
            faults: [{at: 1 s, node: node-2}]
            workload: {dfsio: {tasks: 2, file: 100 MB, read: false}}
            """);

    assertThat(result.jobs().failed()).isZero();
    assertThat(result.writes().evictedBytes()).isZero();
    assertThat(result.atEnd().nodeSets()[2]).as("blocks stand on both nodes that are left").isOne();
  }

  /** The small node gets full of the output that is being written; the old file is too large. */
  @Test
  void aFileThatMakesNoRoomWhereItLacksStays() throws IOException {
    RunResult result =
        run(
            unequal("small, large", 2),
            """
            stored: [{path: /old, files: 1, size: 130 MB}]
            workload: {dfsio: {tasks: 2, file: 100 MB, read: false}}
            """);

    assertThat(result.jobs().failed()).isZero();
    assertThat(result.writes().evictedBytes()).isZero();
  }

  @Test
  void whatIsThereAtTheStartMakesNoRoomForItself() throws IOException {
    RunResult result =
        run(
            unequal("{kind: small, count: 2}, large", 3),
            """
            stored: [{path: /old, files: 3, size: 100 MB}]
            workload: {dfsio: {tasks: 1, file: 1 MB, read: false}}
            """);

    assertThat(result.writes().evictedBytes()).isZero();
    assertThat(result.atEnd().nodeSets()[1]).as("two of three stand on the large node").isOne();
  }

  /** The first job makes the first of two inputs; the second one has room for one replica. */
  @Test
  void anInputMakesNoRoomForAnotherOfItsJob() throws IOException {
    RunResult result =
        run(
            """
            nodes:
              small: {volumes: [{device: d, capacity: 230 MB}]}
              large: {volumes: [{device: d, capacity: 400 MB}]}
            devices: {d: {read: 100 MB/s, write: 100 MB/s}}
            cluster: {racks: [{nodes: [small, large]}]}
            policies: {replication: 2, block: 16 MiB}
            model: {evict-when-full: true}
            """,
            """
            workload:
              applications:
                jobs:
                  - {application: q, name: first, stages: [{name: a, input: 100 MB, output: 1 MB}]}
                  - application: q
                    after: first
                    stages:
                      - {name: a, input: 100 MB, between: 1 MB}
                      - {name: b, input: 150 MB, between: 1 MB}
                      - {name: join, after: [a, b], output: 1 MB}
            """);

    assertThat(result.jobs().firstFailure()).isEmpty();
    assertThat(result.jobs().finished()).isEqualTo(2);
    assertThat(result.writes().evictedBytes()).as("what the first job wrote").isLessThan(2_000_000);
  }
}
