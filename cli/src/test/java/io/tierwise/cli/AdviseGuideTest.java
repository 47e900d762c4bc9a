package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's commands answer what it shows. */
class AdviseGuideTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Path GUIDE = PROJECT.resolve("docs/how-to/advise.md");
  private static final Pattern REPLAY = Pattern.compile("(?m)^replica on \\S+ +of ");
  private static final Pattern JOBS =
      Pattern.compile("(?ms)(^jobs by bytes read .*?)^window .*?(^policy +jobs gain .*)");
  private static final Pattern TRACED =
      Pattern.compile("(?ms)(^heat .*?)^tier .*?(^hottest files.*?)^window .*");
  private static final String PAGE = "advice.html";

  @TempDir private Path folder;

  @Test
  void everyCommandAnswersWhatThePageShows() throws IOException {
    List<GuideCommands.Line> lines = GuideCommands.of(GUIDE, "advise");
    assertThat(lines).hasSize(4);
    List<String> answers = new ArrayList<>();
    for (GuideCommands.Line line : lines) {
      CommandRun run = run(line);
      assertThat(run.exitCode()).as(run.err()).isZero();
      answers.add(whatIsNewIn(run.out().replace(System.lineSeparator(), "\n")));
    }
    ShownAnswers.check(GUIDE, answers);
    assertThatThePageIsWhole(Files.readString(folder.resolve(PAGE)));
  }

  /**
   * The second answer begins as the first, and the third as the second; of the fourth the traces'
   * part counts.
   */
  private static String whatIsNewIn(String answer) {
    Matcher jobs = JOBS.matcher(answer);
    if (jobs.find()) {
      return jobs.group(1) + jobs.group(2);
    }
    Matcher traced = TRACED.matcher(answer);
    if (answer.contains("by client traces") && traced.find()) {
      return traced.group(1) + traced.group(2).stripTrailing() + "\n";
    }
    Matcher replay = REPLAY.matcher(answer);
    return answer.substring(replay.find() ? replay.start() : 0);
  }

  private CommandRun run(GuideCommands.Line line) {
    assertThat(line.startsWith("bin/tierwise", "advise")).isTrue();
    return CommandRun.of(
        Arrays.stream(line.arguments(1))
            .map(word -> word.startsWith("examples/") ? PROJECT.resolve(word).toString() : word)
            .map(word -> word.equals(PAGE) ? folder.resolve(word).toString() : word)
            .toArray(String[]::new));
  }

  private static void assertThatThePageIsWhole(String html) {
    assertThat(html)
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains("<svg", "by hindsight", "AptStore-perf", "/warehouse/shop.db/customers")
        .doesNotContain("<img", "<script", "href=", "http-equiv=\"refresh\"");
  }
}
