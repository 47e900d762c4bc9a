package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which node gives a job its first slot, and where its data comes from then. */
class NearFirstTest {
  private static final int JOBS = 200;
  private static final double DISK = 100e6;

  /** Half of what a disk gives. */
  private static final double LINK = 50e6;

  @TempDir Path folder;

  /** Jobs of one map each, one at a time; their block is on one of four nodes. */
  private RunResult.Reads reads(String scheduler) throws IOException {
    String jobs =
        IntStream.range(0, JOBS)
            .mapToObj(
                i ->
                    "{\"id\": \"j%d\", \"submit_millis\": %d, \"path\": \"/in\", \"maps\": 1, \"input_bytes\": 100000000}"
                        .formatted(i, 60_000L * i))
            .collect(Collectors.joining("\n"));
    Path trace = Files.writeString(folder.resolve("jobs.jsonl"), jobs);
    String yaml =
        """
        devices: {disk: {read: 100 MB/s, write: 100 MB/s}}
        nodes: {one: {map-slots: 2, link: 400 Mbps, page-cache: 0 B, volumes: [{device: disk, capacity: 1 TB}]}}
        cluster: {racks: [{nodes: [{kind: one, count: 2}]}, {nodes: [{kind: one, count: 2}]}]}
        stored: [{path: /in, size: 100 MB}]
        policies: {replication: 1, scheduler: "%s"}
        model: {job-start: 0 s, task-start: 0 s, map-cycles: 0}
        workload: {trace: {format: jobs, file: %s}}
        """
            .formatted(scheduler, trace);
    return Simulation.of(ScenarioFiles.parse(yaml, scheduler).scenario())
        .run((now, done, share) -> true)
        .reads();
  }

  @Test
  void nodesNearItsDataAreAskedFirst() throws IOException {
    RunResult.Reads reads = reads("fifo:delay-seconds=0");

    assertThat(reads.localBytes()).isEqualTo(reads.bytes());
    assertThat(reads.secondsByDistance()[0]).isCloseTo((double) reads.bytes() / DISK, within(1e-3));
  }

  /** Of 200 draws of one node in four 50 are expected, with a deviation of 6. */
  @Test
  void orTheNodeThatAsksNextWhereverItStands() throws IOException {
    RunResult.Reads reads = reads("fifo:delay-seconds=0,near-first=false");

    assertThat((double) reads.localBytes() / reads.bytes() * JOBS).isBetween(30.0, 70.0);
    assertThat((double) reads.remoteBytes() / reads.bytes() * JOBS).isBetween(75.0, 125.0);
    assertThat(reads.secondsByDistance()[0])
        .isCloseTo((double) reads.localBytes() / DISK, within(1e-3));
    assertThat(reads.secondsByDistance()[1])
        .isCloseTo((double) reads.rackBytes() / LINK, within(0.1));
    assertThat(reads.secondsByDistance()[2])
        .isCloseTo((double) reads.remoteBytes() / LINK, within(0.2));
  }

  /** A node that asks while the job still waits for a near one gets nothing. */
  @Test
  void aJobThatWaitsForANearNodeStillGetsIt() throws IOException {
    RunResult.Reads reads = reads("fifo:delay-seconds=3,near-first=false");

    assertThat(reads.localBytes()).isEqualTo(reads.bytes());
  }
}
