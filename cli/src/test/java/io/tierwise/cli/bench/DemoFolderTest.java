package io.tierwise.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoFolderTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"demo", "demo movement", "demo popularity"})
  void aFolderThatCannotBeIsToldBeforeAnythingBegins(String command) throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    CommandRun run = CommandRun.of((command + " --output " + file).split(" "));
    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            String.format(
                "tierwise %s: --output %s cannot be written to (%s: a file of that name is there):"
                    + " name a folder of yours",
                command, file, file));
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(3);
  }
}
