package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide's commands answer what it shows, on history that engines wrote. Run with {@code
 * -Dtierwise.docs.update=true} to write the answers anew.
 */
class ProfilesGuideTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Path GUIDE = PROJECT.resolve("docs/how-to/profiles.md");
  private static final Pattern SHOWN = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void everyCommandAnswersWhatThePageShows() throws IOException {
    List<GuideCommands.Line> lines = GuideCommands.of(GUIDE, "profiles");
    assertThat(lines).hasSize(4);
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
    String page = Files.readString(GUIDE);
    StringBuilder updated = new StringBuilder();
    Matcher shown = SHOWN.matcher(page);
    for (GuideCommands.Line line : lines) {
      CommandRun run = run(line);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.err()).isEmpty();
      EveryCommandTest.assertFits(line.toString(), run.out());
      assertThat(shown.find()).isTrue();
      shown.appendReplacement(
          updated,
          Matcher.quoteReplacement(
              "```text\n" + run.out().replace(System.lineSeparator(), "\n") + "```"));
    }
    shown.appendTail(updated);
    if (Boolean.getBoolean("tierwise.docs.update")) {
      Files.writeString(GUIDE, updated);
      page = updated.toString();
    }
    assertThat(page).as("run 'make docs' to write it anew").isEqualTo(updated.toString());
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
