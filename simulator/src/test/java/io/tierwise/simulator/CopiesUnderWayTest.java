package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica that is being copied is not there yet: tasks are not sent to it. */
class CopiesUnderWayTest {
  private static final long BYTES = 10_000_000_000L;

  @TempDir private Path folder;

  /** A disk of the first node was lost, and gets its replica back for minutes. */
  @Test
  void aMapRunsWhereItsBlockIsWhole() throws IOException {
    Path trace =
        Files.writeString(
            folder.resolve("one.jsonl"),
            "{\"id\": \"a\", \"path\": \"/in\", \"submit_millis\": 10000, \"input_bytes\": "
                + BYTES
                + "}\n");
    String yaml =
        """
        nodes: {n: {map-slots: 1, volumes: [{device: d, capacity: 100 GB}]}}
        devices: {d: {read: 100 MB/s, write: 100 MB/s}}
        cluster: {racks: [{nodes: [{kind: n, count: 2}]}]}
        policies: {replication: 2, block: 10 GB}
        stored: [{path: /in, size: 10 GB}]
        faults: [{at: 1 s, until: 2 s, device: node-0/0}]
        workload: {trace: {format: jobs, file: %s}}
        """
            .formatted(trace);
    RunResult result = Simulation.of(ScenarioFiles.parse(yaml, "s").scenario()).run(Progress.NONE);

    assertThat(result.reads().bytes()).isEqualTo(BYTES);
    assertThat(result.reads().localBytes()).isEqualTo(BYTES);
  }
}
