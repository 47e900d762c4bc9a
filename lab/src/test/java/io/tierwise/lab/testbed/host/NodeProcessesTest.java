package io.tierwise.lab.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.lab.ProcessIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ends commands that do not want to. */
class NodeProcessesTest {
  /** The shell and its child ignore the polite signal. */
  @Test
  void nothingOfACommandIsLeft() throws IOException {
    Process process =
        new ProcessBuilder("setsid", "sh", "-c", "trap '' TERM; sleep 1000 & echo on; wait")
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("on");
      List<ProcessHandle> children = process.descendants().toList();
      assertThat(children).hasSize(1);

      NodeProcesses.end(process);

      assertThat(runs(process.toHandle())).isFalse();
      assertThat(children).noneMatch(NodeProcessesTest::runs);
    }
  }

  /** A process that nobody has waited for yet still has its number. */
  private static boolean runs(ProcessHandle process) {
    return ProcessIdentity.of(process.pid()).isPresent();
  }
}
