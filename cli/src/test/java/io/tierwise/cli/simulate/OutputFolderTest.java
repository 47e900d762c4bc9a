package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.experiments.run.OutputFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --out} belongs to one run at a time, and to none before it is sure to be used. */
class OutputFolderTest {
  @TempDir private Path folder;

  private Ran run(String command, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(Ran.small(folder));
    words.addAll(List.of("--out", folder.resolve("out").toString()));
    Collections.addAll(words, more);
    return Ran.of(words.toArray(String[]::new));
  }

  private List<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulate", "sweep --vary seed=1,2", "search --vary seed=1..4"})
  void aSecondRunIntoAFolderIsRefusedUntilTheFirstIsOver(String command) throws IOException {
    Path out = folder.resolve("out");
    try (OutputFolder first = OutputFolder.prepare(out)) {
      List<String> before = names(out);
      Ran second = run(command);
      assertThat(second.exitCode()).isEqualTo(3);
      assertThat(second.out()).isEmpty();
      assertThat(second.err().strip())
          .isEqualTo(
              "tierwise "
                  + command.split(" ")[0]
                  + ": --out "
                  + first.path()
                  + " belongs to a run that is under way (process "
                  + ProcessHandle.current().pid()
                  + "): wait for its end, or name another folder");
      assertThat(names(out)).isEqualTo(before);
    }
    assertThat(names(out)).isEmpty();
    assertThat(run(command).exitCode()).isZero();
    assertThat(names(out)).contains("results.json").doesNotContain(".tierwise.lock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulate", "sweep --vary seed=1,2", "search --vary seed=1..4"})
  void aDryRunMakesNothing(String command) throws IOException {
    Ran dry = run(command, "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(names(folder)).containsExactly("small.yaml");
  }
}
