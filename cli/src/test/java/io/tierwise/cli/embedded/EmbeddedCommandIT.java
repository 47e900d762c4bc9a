package io.tierwise.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded cluster in the background, as real processes: one at a time, none left over. */
class EmbeddedCommandIT {
  private static final int COMMAND_SECONDS_MAX = 300;

  @TempDir private Path folder;

  private record Answer(int exitCode, String out, String err) {}

  private Answer tierwise(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.tierwise.cli.TierwiseCommand");
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("embedded", ".out");
    Path err = Files.createTempFile("embedded", ".err");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    String answer = Files.readString(out);
    // Hadoop's logger says that it has no settings, since the launcher's are not on this class
    // path.
    String said =
        Files.readAllLines(err).stream()
            .filter(line -> line.startsWith("tierwise"))
            .reduce("", (all, line) -> all + line + "\n");
    Files.delete(out);
    Files.delete(err);
    return new Answer(process.exitValue(), answer, said);
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readString(folder.resolve("build/embedded.lock")).split(" ")[0]);
  }

  @AfterEach
  void end() throws Exception {
    tierwise("embedded", "--stop");
  }

  @Test
  void oneServesUntilItIsStoppedAndADeadOneIsInNobodysWay() throws Exception {
    assertThat(tierwise("tiers", "list", "--embedded").err())
        .startsWith("tierwise tiers list: no embedded cluster serves here: start one with");

    Answer up = tierwise("embedded", "--background");
    assertThat(up.exitCode()).as(up.err()).isZero();
    assertThat(up.out())
        .contains("process " + pid())
        .contains("Stop: bin/tierwise embedded --stop");
    Answer list = tierwise("tiers", "list", "--embedded");
    assertThat(list.exitCode()).as("it served when the command returned: " + list.err()).isZero();

    Answer both = tierwise("embedded", "--background", "--stop");
    assertThat(both.exitCode()).as("neither is done").isEqualTo(2);
    assertThat(both.err()).startsWith("tierwise embedded: --background starts one");

    for (String[] second : new String[][] {{"embedded"}, {"embedded", "--background"}}) {
      Answer refused = tierwise(second);
      assertThat(refused.exitCode()).isEqualTo(3);
      assertThat(refused.err())
          .hasLineCount(1)
          .startsWith(
              "tierwise embedded: an embedded cluster runs here already (process " + pid() + ")");
    }

    ProcessHandle first = ProcessHandle.of(pid()).orElseThrow();
    first.destroyForcibly();
    first.onExit().get(COMMAND_SECONDS_MAX, TimeUnit.SECONDS);
    assertThat(tierwise("tiers", "list", "--embedded").exitCode()).isEqualTo(2);

    Answer again = tierwise("embedded", "--background");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(folder.resolve("build/embedded.log"))
        .content()
        .contains("tierwise embedded: removed what one that was killed had left");
    assertThat(tierwise("explain", "/data/example", "--embedded").out()).contains("/data/example");

    ProcessHandle process = ProcessHandle.of(pid()).orElseThrow();
    assertThat(tierwise("embedded", "--stop").out()).contains("has ended");
    assertThat(process.isAlive()).isFalse();
    assertThat(folder.resolve("build/embedded")).doesNotExist();
    assertThat(tierwise("embedded", "--stop").out()).contains("None runs here");
  }
}
