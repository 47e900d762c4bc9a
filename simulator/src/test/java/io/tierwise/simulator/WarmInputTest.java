package io.tierwise.simulator;

import static io.tierwise.simulator.PhaseScenario.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that page caches hold before it is read. */
class WarmInputTest {
  @TempDir private Path folder;

  private final PhaseScenario cluster = new PhaseScenario();

  @BeforeEach
  void hasPageCaches() {
    cluster.writeThrough = false;
    cluster.pageCache = 4L << 30;
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.3, 3", "0.5, 5", "1, 10"})
  void aShareOfTheInputIsWarm(double share, int warmBlocks) throws IOException {
    cluster.warmInput = share;
    RunResult result = cluster.job(10 * BLOCK, 0, 0).run(folder);

    assertThat(result.reads().bytes()).isEqualTo(10 * BLOCK);
    assertThat(result.reads().cachedBytes()).isEqualTo(warmBlocks * BLOCK);
  }

  /** Shares that no binary number is: none of the hundred is lost by that. */
  @ParameterizedTest
  @ValueSource(ints = {7, 29, 57, 58})
  void soManyPercentAreSoManyOfAHundredBlocks(int percent) throws IOException {
    cluster.pageCache = 16L << 30;
    cluster.warmInput = percent / 100.0;
    RunResult result = cluster.job(100 * BLOCK, 0, 0).run(folder);

    assertThat(result.reads().cachedBytes()).isEqualTo(percent * BLOCK);
  }

  /** Files that a scenario stores are input like all other, from their first read on. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0.3, 3", "1, 10"})
  void aShareOfStoredInputIsWarm(double share, int warmBlocks) throws IOException {
    cluster.warmInput = share;
    cluster.stored = List.of(new StoredSpec("/in", 1, 10 * BLOCK, "network-aware"));
    RunResult result = cluster.run(folder, readsOf("/in", 10 * BLOCK));

    assertThat(result.reads().bytes()).isEqualTo(10 * BLOCK);
    assertThat(result.reads().cachedBytes()).isEqualTo(warmBlocks * BLOCK);
  }

  private static String readsOf(String path, long bytes) {
    return "{\"id\": \"a\", \"path\": \"" + path + "\", \"input_bytes\": " + bytes + "}";
  }

  @Test
  void aShareOfTheFilesIsWarmWhereEachIsOneBlock() throws IOException {
    cluster.warmInput = 0.5;
    for (int job = 0; job < 10; job++) {
      cluster.job(BLOCK, 0, 0);
    }
    RunResult result = cluster.run(folder);

    assertThat(result.reads().bytes()).isEqualTo(10 * BLOCK);
    assertThat(result.reads().cachedBytes()).isEqualTo(5 * BLOCK);
  }

  /**
   * The first job reads the replica that was there all the time; the second one has another: of a
   * node that was down meanwhile, or one that was being copied.
   */
  @ParameterizedTest
  @ValueSource(strings = {"node: node-1, until: 30 s", "device: node-1/0, until: 2 s"})
  void whatWasNotThereIsNotWarm(String fault) throws IOException {
    long bytes = 2_000_000_000L;
    String job =
        "{\"id\": \"%s\", \"path\": \"/in\", \"submit_millis\": %d, \"input_bytes\": %d}\n";
    Path trace =
        Files.writeString(
            folder.resolve("two.jsonl"),
            job.formatted("a", 5_000, bytes) + job.formatted("b", 200_000, bytes));
    String yaml =
        """
        nodes: {n: {volumes: [{device: d, capacity: 100 GB}]}}
        devices: {d: {read: 100 MB/s, write: 100 MB/s}}
        cluster: {racks: [{nodes: [{kind: n, count: 2}]}]}
        policies: {replication: 2, block: 2 GB}
        model: {warm-input: 100%%}
        stored: [{path: /in, size: 2 GB}]
        faults: [{at: 1 s, %s}, {at: 150 s, node: node-0}]
        workload: {trace: {format: jobs, file: %s}}
        """
            .formatted(fault, trace);
    RunResult result = Simulation.of(ScenarioFiles.parse(yaml, "s").scenario()).run(Progress.NONE);

    assertThat(result.reads().bytes()).isEqualTo(2 * bytes);
    assertThat(result.reads().cachedBytes()).isEqualTo(bytes);
  }
}
