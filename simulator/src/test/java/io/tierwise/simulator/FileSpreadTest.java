package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Over how many nodes and racks files spread when a run is over. */
class FileSpreadTest {
  /** One file of a block is stored, and one of 200; a job writes a third one, of one block. */
  private static RunResult.AtEnd atEnd(int replication) throws IOException {
    String yaml =
        """
        nodes: {one: {volumes: [{device: hdd}]}}
        cluster: {racks: [{nodes: [{kind: one, count: 3}]}, {nodes: [{kind: one, count: 3}]}]}
        stored: [{path: /one, size: 64 MiB}, {path: /many, size: 12800 MiB}]
        policies: {replication: %d, block: 64 MiB}
        workload: {dfsio: {tasks: 1, file: 1 MB}}
        """
            .formatted(replication);
    return Simulation.of(ScenarioFiles.parse(yaml, "spread").scenario()).run(Progress.NONE).atEnd();
  }

  @Test
  void nodesAreThoseThatHoldSomeOfAFile() throws IOException {
    assertThat(atEnd(1).nodesOfFile()).isCloseTo((1 + 6 + 1) / 3.0, within(1e-9));
    assertThat(atEnd(2).nodesOfFile()).isCloseTo((2 + 6 + 2) / 3.0, within(1e-9));
  }

  /** One replica is in one rack, two in both, of three two in one; many even out but alone. */
  @Test
  void theFullestRackIsThatOfAFilesBytes() throws IOException {
    assertThat(atEnd(1).fullestRackShare()).isBetween((1 + 0.5 + 1) / 3, (1 + 0.65 + 1) / 3);
    assertThat(atEnd(2).fullestRackShare()).isCloseTo(0.5, within(1e-9));
    assertThat(atEnd(3).fullestRackShare())
        .isBetween((2 / 3.0 + 0.5 + 2 / 3.0) / 3, (2 / 3.0 + 0.56 + 2 / 3.0) / 3);
  }
}
