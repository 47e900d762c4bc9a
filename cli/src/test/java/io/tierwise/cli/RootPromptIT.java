package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code policy set /} as a process of its own: it asks at a terminal, and where there is none it
 * takes no answer from a pipe, whose first line may mean anything.
 */
class RootPromptIT {
  @TempDir static Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    hdfs = ManagedHdfs.start(folder, null, conf, nodes -> nodes.numDataNodes(0));
    fs = hdfs.fs();
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  @AfterEach
  void unset() throws IOException {
    for (String name : fs.listXAttrs(new org.apache.hadoop.fs.Path("/"))) {
      fs.removeXAttr(new org.apache.hadoop.fs.Path("/"), name);
    }
  }

  private static List<String> command() {
    return TierwiseJvm.line(
        "policy", "set", "/", "--placement", "hybrid", "--fs", fs.getUri().toString());
  }

  /** Runs a program with that standard input, and returns its exit code. */
  private static int run(List<String> command, String input, Path said) throws Exception {
    Path in = Files.writeString(folder.resolve("in"), input);
    return new ProcessBuilder(command)
        .redirectInput(in.toFile())
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start()
        .waitFor();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes\n", ""})
  void withoutATerminalNobodyIsAskedAndNothingIsSet(String input) throws Exception {
    Path said = folder.resolve("said");
    assertThat(run(command(), input, said)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(Files.readString(said))
        .contains("nothing was set", "give --yes")
        .doesNotContain("[y/N]");
    assertThat(fs.listXAttrs(new org.apache.hadoop.fs.Path("/"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"y, 0", "yess, 2", "'', 2"})
  void atATerminalTheAnswerCounts(String answer, int exitCode) throws Exception {
    Path script = Path.of("/usr/bin/script");
    assumeThat(script).as("what gives a process a terminal").isExecutable();
    // In a file: the terminal's line would not hold the class path.
    Path start = folder.resolve("start.sh");
    Files.writeString(start, "exec " + String.join(" ", command()) + "\n");
    Path said = folder.resolve("said");
    List<String> onTerminal =
        List.of(script.toString(), "-q", "-e", "-c", "sh " + start, "/dev/null");
    assertThat(run(onTerminal, answer + "\n", said)).as(Files.readString(said)).isEqualTo(exitCode);
    assertThat(Files.readString(said)).contains("Put every file of the cluster under this policy?");
    assertThat(fs.listXAttrs(new org.apache.hadoop.fs.Path("/")).isEmpty())
        .isEqualTo(exitCode != 0);
  }
}
