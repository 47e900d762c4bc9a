package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's quick start, pasted into a shell in a folder that looks like the project's. Only its
 * {@code make build} is left out: what is tested here is built already.
 */
@Tag("long")
class QuickStartIT {
  private static final int MINUTES_MAX = 10;
  private static final Path PROJECT = CommandReferenceTest.projectFolder();

  @TempDir private Path folder;

  /** The lines of the code blocks between a heading and the next one. */
  private static List<String> commands(Path page, String heading) throws IOException {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      if (!code && line.startsWith("## ")) {
        inside = line.equals(heading);
      } else if (inside && line.startsWith("```")) {
        code = !code;
      } else if (inside && code) {
        commands.add(line);
      }
    }
    return commands;
  }

  @Test
  void itWorksWhenItIsPasted() throws Exception {
    List<String> commands = commands(PROJECT.resolve("README.md"), "## Quick start");
    assertThat(commands)
        .startsWith("make build")
        .anyMatch(line -> line.startsWith("bin/tierwise embedded --background"))
        .hasSizeGreaterThan(8);
    Files.createSymbolicLink(folder.resolve("bin"), PROJECT.resolve("bin"));
    Files.createSymbolicLink(folder.resolve("examples"), PROJECT.resolve("examples"));
    List<String> script = new ArrayList<>(List.of("set -eux"));
    script.addAll(commands.subList(1, commands.size()));
    Files.write(folder.resolve("pasted"), script);
    ProcessBuilder shell =
        new ProcessBuilder("bash", "pasted")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("printed").toFile());
    shell.environment().keySet().removeAll(List.of("HADOOP_CONF_DIR", "TIERWISE_JAVA_OPTS"));
    Process running = shell.start();
    boolean ended = running.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
    String printed = Files.readString(folder.resolve("printed"));
    if (!ended || running.exitValue() != 0) {
      running.destroyForcibly();
      new ProcessBuilder("bin/tierwise", "embedded", "--stop").directory(folder.toFile()).start();
    }
    assertThat(ended).as(printed).isTrue();
    assertThat(running.exitValue()).as(printed).isZero();
    assertThat(printed)
        .contains("rack1", "hybrid", "/data/example", "The embedded cluster has ended.")
        .doesNotContain("Exception", "Stop: bin/tierwise embedded --stop\n+ exit");
    assertThat(folder.resolve("build/embedded")).doesNotExist();
    printed
        .lines()
        .filter(line -> !line.startsWith("+ ") && !line.startsWith("tierwise "))
        .forEach(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }
}
