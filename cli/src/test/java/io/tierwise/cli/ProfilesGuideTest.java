package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's commands answer what it shows, on history that engines wrote. */
class ProfilesGuideTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Path GUIDE = PROJECT.resolve("docs/how-to/profiles.md");

  @TempDir private Path folder;

  @Test
  void everyCommandAnswersWhatThePageShows() throws IOException {
    List<GuideCommands.Line> lines = GuideCommands.of(GUIDE, "profiles");
    assertThat(lines).hasSize(4);
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
    List<String> answers = new ArrayList<>();
    for (GuideCommands.Line line : lines) {
      CommandRun run = run(line);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.err()).isEmpty();
      EveryCommandTest.assertFits(line.toString(), run.out());
      answers.add(run.out());
    }
    ShownAnswers.check(GUIDE, answers);
  }

  /** {@code ProfileRunIT} runs such commands; here the words are looked at. */
  @Test
  void commandsForAClusterAreUnderstood() throws IOException {
    List<GuideCommands.Line> lines = GuideCommands.of(GUIDE, "YARN");
    assertThat(lines).hasSize(2);
    for (GuideCommands.Line line : lines) {
      assertThat(line.startsWith("bin/tierwise", "profile", "run")).isTrue();
      String[] words = line.arguments(1);
      assertThat(TierwiseCommand.commandLineFor(words).parseArgs(words).errors()).isEmpty();
    }
  }

  private CommandRun run(GuideCommands.Line line) {
    assertThat(line.startsWith("bin/tierwise", "profile")).isTrue();
    return CommandRun.of(
        Arrays.stream(line.arguments(1))
            .map(word -> word.startsWith("examples/") ? PROJECT.resolve(word).toString() : word)
            .map(word -> word.equals("runs.db") ? folder.resolve(word).toString() : word)
            .toArray(String[]::new));
  }
}
