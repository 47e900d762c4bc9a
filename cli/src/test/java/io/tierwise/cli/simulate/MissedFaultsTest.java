package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissedFaultsTest {
  private static final String FAULTS =
      "faults=[{at: 2 h, node: node-1}, {at: 1 s, node: node-0}, {at: 1 h, rack: rack-1}]";

  @TempDir private Path folder;

  @Test
  void aFaultAfterTheEndIsSaidInOneLine() throws Exception {
    Ran ran = Ran.of("simulate", Ran.small(folder), "--set", FAULTS);
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err().lines())
        .filteredOn(line -> line.startsWith("tierwise simulate: the workload"))
        .containsExactly(
            "tierwise simulate: the workload was over before faults happened, first of them rack rack-1 at"
                + " 60.0 min");
  }

  @Test
  void ofManyRunsItIsSaidInHowMany() throws Exception {
    Ran ran = Ran.of("sweep", Ran.small(folder), "--set", FAULTS, "--vary", "faults[2].at=1 s,3 h");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err())
        .contains("tierwise sweep: in 2 of 2 runs the workload was over before faults");
    Ran one =
        Ran.of(
            "sweep",
            Ran.small(folder),
            "--set",
            "faults=[{at: 1 s, node: node-1}]",
            "--vary",
            "faults[0].at=1 s,3 h");
    assertThat(one.err()).contains("in 1 of 2 runs the workload was over before faults happened");
  }

  @Test
  void faultsThatHappenAreNotMentioned() throws Exception {
    Ran ran = Ran.of("simulate", Ran.small(folder), "--set", "faults=[{at: 1 s, node: node-0}]");
    assertThat(ran.err()).doesNotContain("the workload was over");
  }
}
