package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.storage.StoredFile;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TestDFSIO: each task has a file of its own, whether the first job wrote it or it was there. */
class DfsioFilesTest {
  /** Eight tasks at once on one disk, whose files have a block and a half each. */
  private static final String ONE_DISK =
      """
      nodes: {n: {map-slots: 8, page-cache: 0 B, memory: 100 GB/s, volumes: [{device: d}]}}
      devices: {d: {read: 80 MB/s, write: 80 MB/s}}
      cluster: {racks: [{nodes: [n]}]}
      policies: {replication: 1, block: 16 MB}
      model: {job-start: 0 s, task-start: 0 s}
      workload: {dfsio: {tasks: 8, file: %s, write: %b}}
      """;

  private static Simulation simulation(String file, boolean write) {
    return Simulation.of(ScenarioFiles.parse(ONE_DISK.formatted(file, write), "s").scenario())
        .checkBetween(0, 1000);
  }

  private static int blocks(Simulation simulation) {
    return simulation.context().namespace().files().stream().mapToInt(StoredFile::blockCount).sum();
  }

  /** Of n equal readers of a disk each has 1/n of its rate, and all end together. */
  @Test
  void filesThatWereThereAreReadByATaskEach() throws IOException {
    RunResult.Reads reads = simulation("24 MB", false).run(Progress.NONE).reads();

    assertThat(reads.bytes()).isEqualTo(8 * 24_000_000L);
    assertThat(reads.taskBytesPerSecondMean()).isCloseTo(10e6, within(1.0));
    assertThat(reads.taskBytesPerSecondDeviation()).isCloseTo(0, within(1.0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 MB", "16 MB", "24 MB", "40 MB"})
  void filesThatWereThereHaveTheBlocksOfThoseThatAreWritten(String file) throws IOException {
    Simulation written = simulation(file, true);
    Simulation there = simulation(file, false);
    written.run(Progress.NONE);
    there.run(Progress.NONE);

    assertThat(blocks(there)).isEqualTo(blocks(written)).isGreaterThanOrEqualTo(8);
  }
}
