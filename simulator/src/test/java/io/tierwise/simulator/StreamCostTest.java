package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What streams cost processors, by closed forms: a store of 1 GHz a core and a worker of 2 GHz a
 * core, behind links and over devices that are never the limit. Runs are checked for lost bytes and
 * joules after every event.
 */
class StreamCostTest {
  private static final double FILE = 100e6;

  /** Four files of one block are read, all on the store. */
  private static final String READS =
      """
      devices: {fast: {read: 1000 GB/s, write: 1000 GB/s}}
      nodes:
        store: {cores: %d, clock: 1 GHz, page-cache: 0 B, write-buffer: 10 GB, memory: 1000 GB/s,
          map-slots: 0, reduce-slots: 0, link: 1000 GB/s, idle: 0 W, busy: %d W, volumes: [fast]}
        worker: {cores: 8, clock: 2 GHz, page-cache: 0 B, map-slots: 4, reduce-slots: 0,
          link: 1000 GB/s, idle: 0 W, busy: 8 W, volumes: [{device: fast, data: false}]}
      cluster: {latency: 0 s, racks: [{nodes: [store, worker]}]}
      policies: {replication: 1, block: 100 MB}
      model: {job-start: 0 s, task-start: 0 s}
      workload: {dfsio: {tasks: 4, file: 100 MB, write: false}}
      """;

  private static final String ONE_CORE =
      "{cores: 1, clock: 2 GHz, page-cache: 0 B, map-slots: 2, reduce-slots: 1";
  private static final String GREP =
      "applications: {arrival: together, jobs: [{application: lsn/grep, scale: 0.0125}]}";

  /** One file of one block is written to two nodes, one of which writes it. */
  private static final String WRITE =
      """
      devices: {fast: {read: 1000 GB/s, write: 1000 GB/s}}
      nodes:
        node: {cores: 8, clock: 1 GHz, page-cache: 0 B, write-buffer: 10 GB, memory: 1000 GB/s,
          map-slots: 1, reduce-slots: 0, link: 1000 GB/s, volumes: [fast]}
      cluster: {latency: 0 s, racks: [{nodes: [{kind: node, count: 2}]}]}
      policies: {replication: %d, block: 100 MB}
      model: {job-start: 0 s, task-start: 0 s}
      workload: {dfsio: {tasks: 1, file: 100 MB, read: false}}
      """;

  private static RunResult run(String yaml, double send, double receive) throws IOException {
    return Simulation.of(
            ScenarioFiles.parse(yaml, "s.yaml")
                .with("model.send-cycles=" + send, "test")
                .with("model.receive-cycles=" + receive, "test")
                .scenario())
        .checkBetween(0, 1_000)
        .run(Progress.NONE);
  }

  private static double readSeconds(int cores, double send, double receive) throws IOException {
    return run(READS.formatted(cores, cores), send, receive).makespanSeconds();
  }

  @Test
  void streamsThatCostNothingTakeNoTime() throws IOException {
    assertThat(readSeconds(1, 0, 0)).isLessThan(0.01);
  }

  /** Cycles of the sender and of the receiver; seconds of four streams on one core, on four. */
  @ParameterizedTest
  @CsvSource({"10, 0, 4, 1", "0, 40, 2, 2", "10, 40, 4, 2", "20, 10, 8, 2"})
  void aStreamIsAsFastAsTheSlowerThreadAndStreamsShareTheCores(
      double send, double receive, double onOneCore, double onFour) throws IOException {
    assertThat(readSeconds(1, send, receive)).isCloseTo(onOneCore, within(0.01));
    assertThat(readSeconds(4, send, receive)).isCloseTo(onFour, within(0.01));
    assertThat(readSeconds(40, send, receive)).as("one core each").isCloseTo(onFour, within(0.01));
  }

  /** A writer, its own DataNode, and the one that this hands the bytes to. */
  @ParameterizedTest
  @CsvSource({"1, 3, 0, 3", "1, 0, 5, 5", "1, 3, 5, 5", "2, 3, 5, 8", "2, 7, 5, 12"})
  void aDataNodeInAPipelineTakesInAndSendsWithOneThread(
      int replicas, double send, double receive, double cyclesOfSlowest) throws IOException {
    double seconds = run(WRITE.formatted(replicas), send, receive).makespanSeconds();

    assertThat(seconds).isCloseTo(FILE * cyclesOfSlowest / 1e9, within(0.01));
  }

  /** Two maps on one core of 2 GHz: 40 cycles a byte of their own, and the streams'. */
  @Test
  void streamsShareTheCoresWithTasks() throws IOException {
    String maps =
        READS
            .formatted(40, 40)
            .replace(
                "{cores: 8, clock: 2 GHz, page-cache: 0 B, map-slots: 4, reduce-slots: 0", ONE_CORE)
            .replace("dfsio: {tasks: 4, file: 100 MB, write: false}", GREP);
    double free = run(maps, 0, 0).makespanSeconds();

    double input = 128 * (1L << 20);
    assertThat(run(maps, 0, 40).makespanSeconds() - free).isCloseTo(input * 40 / 2e9, within(0.02));
  }

  /** A watt for each core that is busy. */
  @Test
  void streamsTakePower() throws IOException {
    double joules = run(READS.formatted(1, 1), 10, 40).cost().nodeJoules();

    assertThat(joules).isCloseTo(4 * FILE * (10 / 1e9 + 40 / 2e9), within(0.01));
  }
}
