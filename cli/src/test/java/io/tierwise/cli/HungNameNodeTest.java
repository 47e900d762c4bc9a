package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands before a NameNode that is stopped, swaps or collects garbage: the kernel takes
 * connections for it, and nothing ever comes back.
 */
class HungNameNodeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain /a/file",
        "policy get /a",
        "policy set /a --placement hybrid",
        "policy unset /a --placement",
        "policy find /a",
        "policy purge /a",
        "tiers list",
        "capture",
        "bench dfsio"
      })
  void saysInOneLineThatNothingIsAnswered(String command) throws IOException {
    try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")));
      words.addAll(
          List.of(
              "--fs",
              "hdfs://127.0.0.1:" + hung.getLocalPort(),
              "-D",
              "ipc.client.rpc-timeout.ms=400"));
      CommandRun run = CommandRun.of(words.toArray(String[]::new));
      assertThat(run.err())
          .contains(": the NameNode ", ":" + hung.getLocalPort() + " takes connections")
          .contains("has not answered for 0.4 s", "-D ipc.client.rpc-timeout.ms=");
      assertThat(run.err().strip()).doesNotContain("\n");
      assertThat(run.exitCode()).isEqualTo(ExitCode.CLUSTER);
    }
  }
}
