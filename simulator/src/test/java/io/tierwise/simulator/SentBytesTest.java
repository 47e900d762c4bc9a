package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.measure.RunResult.Series;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What was sent is what moved: of a transfer that something ends in the middle, what had come by
 * then. Links are all that limits, and every invariant is checked after every event.
 */
class SentBytesTest {
  private static final double LINK = 125e6;
  private static final long MIB = 1L << 20;

  /** What HDFS lets a copy of its mover take. */
  private static final double COPY = 100.0 * MIB;

  private static final String NODES =
      """
      nodes:
        works: {link: 1 Gbps, page-cache: 0 B, volumes: [{device: d}]}
        stores: {link: 1 Gbps, page-cache: 0 B, map-slots: 0, reduce-slots: 0, volumes: [{device: d}]}
        computes: {link: 1 Gbps, page-cache: 0 B, volumes: [{device: d, data: false}]}
        fast: {page-cache: 0 B, map-slots: 0, reduce-slots: 0, volumes: [{device: f}]}
      devices: {d: {read: 4 GB/s, write: 4 GB/s}, f: {read: 4 GB/s, write: 4 GB/s}}
      model: {job-start: 0 s, task-start: 1 s}
      """;

  /** A block goes from a node's disk to the fast one of one of two others in ten seconds. */
  private static final String MOVEMENT =
      """
      cluster: {racks: [{nodes: [works, {kind: fast, count: 2}]}]}
      tiers: [{name: fast, device: f}, {name: slow, device: d}]
      policies: {placement: "layout:1 x slow", replication: 1, block: 1 GiB}
      stored: [{path: /w, files: 1, size: 1 GiB}]
      movement: [{path: /w, placement: "1 x fast", bandwidth: 4 GB/s, bandwidth-total: 4 GB/s}]
      workload: {dfsio: {tasks: 1, file: 1 MB, read: false}}
      """;

  private static RunResult run(String yaml, String... settings) throws IOException {
    ScenarioFiles files = ScenarioFiles.parse(yaml, "test");
    for (String setting : settings) {
      files = files.with(setting, "--set");
    }
    RunResult result = Simulation.of(files.scenario()).checkBetween(0, 10_000).run(Progress.NONE);
    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().failed()).isZero();
    return result;
  }

  @Test
  void aCopyThatIsCutShortWasSentAsFarAsItCame() throws IOException {
    String down = "{at: 5 s, until: 5.2 s, node: %s}";
    String both = down.formatted("node-1") + ", " + down.formatted("node-2");
    RunResult result = run(NODES + MOVEMENT, "faults=[" + both + "]");

    assertThat(result.movements().get(0).networkBytes()).isEqualTo(1024 * MIB);
    assertThat((double) result.writes().cutShortBytes()).isCloseTo(5 * COPY, within(1e3));
    assertThat((double) result.network().bytes()).isCloseTo(1024 * MIB + 5 * COPY, within(1e3));
  }

  @Test
  void aCopyIsSentWhileItMovesAndNotAllAtOnce() throws IOException {
    RunResult result = run(NODES + MOVEMENT);

    assertThat(result.writes().cutShortBytes()).isZero();
    Series network =
        result.series().stream()
            .filter(one -> one.name().equals("network"))
            .findFirst()
            .orElseThrow();
    assertThat(network.intervalSeconds()).isEqualTo(1);
    for (int second = 0; second < 10; second++) {
      assertThat(network.values()[second]).as("second " + second).isCloseTo(COPY, within(1e3));
    }
  }

  /** The workload is over before the block has its second replica again. */
  @Test
  void aRepairThatIsUnderWayAtTheEndWasSentAsFarAsItCame() throws IOException {
    RunResult result =
        run(
            NODES
                + """
                cluster: {racks: [{nodes: [works, stores]}]}
                policies: {placement: stock, replication: 2, block: 10 GB}
                stored: [{path: /w, files: 1, size: 10 GB}]
                faults: [{at: 5 s, until: 6 s, device: node-1/0}]
                workload: {dfsio: {tasks: 1, file: 1 B, write: false}}
                """,
            "model.task-start=30 s");

    double seconds = result.makespanSeconds() - 6;
    assertThat(result.faults().repairedBytes()).isZero();
    assertThat((double) result.network().bytes()).isCloseTo(seconds * LINK, within(1e6));
  }

  /** A disk fails with what a map left on it while the reducer fetches that; both run again. */
  @Test
  void aFetchThatIsCutShortCountsAsFarAsItCame() throws IOException {
    long handed = 32 * MIB;
    double read = 64.0 * MIB / 60e6;
    double fetching = 1 + read + handed / 40e6 + 1;
    RunResult result =
        run(
            """
            nodes:
              works:
                map-slots: 1
                reduce-slots: 1
                page-cache: 0 B
                volumes: [{device: s, temporary: false}, {device: s, count: 2, data: false}]
            devices: {s: {read: 60 MB/s, write: 40 MB/s}}
            cluster: {racks: [{nodes: [works]}]}
            policies: {placement: stock, replication: 1, block: 64 MiB}
            model:
              {job-start: 0 s, task-start: 1 s, phases: series, write-through: true,
               reduce-kept: 64 MiB, slow-start: 100%%}
            faults: [{at: %s s, device: node-0/1}]
            workload:
              applications:
                jobs:
                  - application: graph
                    stages:
                      - {name: a, tasks: 1, input: 64 MiB, between: 32 MiB}
                      - {name: b, tasks: 1, after: a}
            """
                .formatted(fetching + 0.2));

    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat((double) result.network().shuffleBytes())
        .isCloseTo(handed + 0.2 * 60e6, within(1e3));
    assertThat(result.network().bytes()).as("all on one node").isZero();
  }

  @Test
  void aReadThatIsCutShortWasReadAsFarAsItCame() throws IOException {
    RunResult result =
        run(
            NODES
                + """
                cluster: {racks: [{nodes: [computes, stores]}]}
                policies: {placement: stock, replication: 1, block: 1 GB}
                faults: [{at: 5 s, until: 5.2 s, node: node-0}]
                workload: {dfsio: {tasks: 1, file: 1 GB, write: false}}
                """);

    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat((double) result.reads().bytes()).isCloseTo(1e9 + 4 * LINK, within(1e5));
    assertThat(result.network().bytes()).isEqualTo(result.reads().bytes());
  }

  /** Of a pipeline that loses its second node, or the first one with the writer. */
  @ParameterizedTest
  @CsvSource({"node-1, 0", "node-0, 1"})
  void aPipelineThatIsCutShortSentAsFarAsItCame(String node, int again) throws IOException {
    RunResult result =
        run(
            NODES
                + """
                cluster: {racks: [{nodes: [works, stores]}]}
                policies: {placement: stock, replication: 2, block: 1 GB}
                faults: [{at: 5 s, until: %s, node: %s}]
                workload: {dfsio: {tasks: 1, file: 1 GB, read: false}}
                """
                    .formatted(again == 1 ? "5.2 s" : "1 h", node));

    assertThat(result.jobs().killedTasks()).isEqualTo(again);
    assertThat((double) result.network().bytes()).isCloseTo(again * 1e9 + 4 * LINK, within(1e5));
  }
}
