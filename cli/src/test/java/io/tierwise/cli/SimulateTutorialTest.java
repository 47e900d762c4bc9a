package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial's simulations print what its page shows. */
class SimulateTutorialTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Path PAGE = PROJECT.resolve("docs/tutorial/simulate.md");
  private static final String OUT = "build/rho";

  @TempDir private Path folder;

  @Test
  void everyCommandAnswersWhatThePageShows() throws IOException {
    List<GuideCommands.Line> lines = GuideCommands.of(PAGE, "simulate");
    assertThat(lines).hasSize(3);
    List<String> answers = new ArrayList<>();
    for (GuideCommands.Line line : lines) {
      CommandRun run = run(line);
      assertThat(run.exitCode()).as(run.err()).isZero();
      answers.add(withoutChance(run.out()));
    }
    ShownAnswers.check(PAGE, answers);
    assertThat(folder).isDirectoryContaining(file -> file.toString().endsWith("results.json"));
  }

  /** How long it took differs each time. */
  private String withoutChance(String answer) {
    return answer.replaceAll("runs in [0-9.]+ s", "runs in ... s").replace(folder.toString(), OUT);
  }

  private CommandRun run(GuideCommands.Line line) {
    assertThat(line.startsWith("bin/tierwise")).isTrue();
    return CommandRun.of(
        Arrays.stream(line.arguments(1))
            .map(word -> word.startsWith("examples/") ? PROJECT.resolve(word).toString() : word)
            .map(word -> word.equals(OUT) ? folder.toString() : word)
            .toArray(String[]::new));
  }
}
