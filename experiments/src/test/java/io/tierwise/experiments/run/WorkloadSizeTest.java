package io.tierwise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadSizeTest {
  private static Scenario with(String workload) {
    return ScenarioFiles.parse("based-on: hats-testbed\nworkload: " + workload, "s.yaml")
        .scenario();
  }

  @Test
  void aJobThatWouldArriveAfterTheEndOfTimeIsNamed() {
    Scenario late =
        with(
            "{applications: {jobs: [{application: lsn/grep, count: 3}],"
                + " arrival: {clients: 1, think: 100 d}}}");
    assertThatThrownBy(() -> WorkloadSize.of(late))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("would arrive after 200 days, a run has at most 100");
  }

  @Test
  void blocksThatNoVolumeHasRoomForNeedMemoryToo(@TempDir Path folder) throws IOException {
    Path trace =
        Files.writeString(folder.resolve("t.tsv"), "job0\t0\t0\t" + (1L << 60) + "\t0\t0\n");
    Scenario huge = with("{trace: {format: swim, file: " + trace + "}}");
    assertThat(MemoryNeed.ofRun(huge, WorkloadSize.of(huge))).isGreaterThan(1e11);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "stock,", ",hybrid", "stock,,hybrid"})
  void anEmptyPolicyIsNoPolicy(String policies) {
    assertThatThrownBy(() -> PolicyPair.of(List.of(policies), List.of()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("names an empty policy");
  }
}
