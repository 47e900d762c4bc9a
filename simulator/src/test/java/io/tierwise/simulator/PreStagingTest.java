package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data is brought to the region of those who will read it, before the job that does. */
class PreStagingTest {
  private static final long FILE_BYTES = 640L << 20;
  private static final int JOB_SECONDS = 600;

  @TempDir Path folder;
  private Path trace;

  @BeforeEach
  void writeTheJob() throws IOException {
    String row = "job\t" + JOB_SECONDS + "\t1\t" + FILE_BYTES + "\t0\t0\t/w\n";
    trace = Files.writeString(folder.resolve("trace.tsv"), row);
  }

  /** The data is in the east, all tasks run in the west. */
  private RunResult run(String movement) throws IOException {
    String scenario =
        """
        nodes:
          store: {map-slots: 0, reduce-slots: 0, page-cache: 0 B, volumes: [{device: hdd}]}
          worker: {page-cache: 0 B, volumes: [{device: hdd}]}
        cluster:
          racks:
            - {count: 2, region: east, nodes: [{kind: store, count: 2}]}
            - {count: 2, region: west, nodes: [{kind: worker, count: 2}]}
        policies: {placement: "layout:2 x any in region east", replication: 2, block: 16 MiB}
        stored: [{path: /w, size: 640 MiB}]
        workload: {trace: {format: swim, file: %s}}
        movement: %s
        """
            .formatted(trace, movement);
    return Simulation.of(ScenarioFiles.parse(scenario, "staging").scenario())
        .checkBetween(0, Double.POSITIVE_INFINITY)
        .run(Progress.NONE);
  }

  private static String toWest(String at, String bandwidth) {
    return "[{path: /w, at: %s, bandwidth: %s, placement: \"1 x any in region east + 1 x any in region west\"}]"
        .formatted(at, bandwidth);
  }

  private static double endSeconds(RunResult run) {
    MovementResult moved = run.movements().get(0);
    assertThat(moved.complete()).isTrue();
    assertThat(moved.bytes()).isEqualTo(FILE_BYTES);
    return moved.startSeconds() + moved.seconds();
  }

  @Test
  void aJobReadsInItsRegionWhatWasBroughtThereInTime() throws IOException {
    RunResult without = run("[]");
    RunResult staged = run(toWest("0 s", "25 MB/s"));

    assertThat(without.reads().otherRegionBytes()).isEqualTo(FILE_BYTES);
    assertThat(endSeconds(staged)).isLessThan(JOB_SECONDS);
    assertThat(staged.reads().bytes()).isEqualTo(FILE_BYTES);
    assertThat(staged.reads().otherRegionBytes()).isZero();
  }

  /** Four nodes take in 1 MB/s each. */
  @Test
  void whatComesTooLateIsReadFromWhereItWas() throws IOException {
    RunResult late = run(toWest("580 s", "1 MB/s"));

    assertThat(endSeconds(late)).isGreaterThan(JOB_SECONDS + FILE_BYTES / 4e6 - 60);
    assertThat(late.reads().otherRegionBytes()).isBetween(FILE_BYTES / 2, FILE_BYTES);
  }
}
