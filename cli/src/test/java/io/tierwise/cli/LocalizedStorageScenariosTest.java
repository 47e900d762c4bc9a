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

/** The simulations of docs/how-to/localized-storage.md give the figures of its table. */
class LocalizedStorageScenariosTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Path GUIDE = PROJECT.resolve("docs/how-to/localized-storage.md");

  @Test
  void everyScenarioGivesTheRowThatThePageShows() throws IOException {
    List<String> rows = new ArrayList<>();
    for (GuideCommands.Line line : GuideCommands.of(GUIDE, "simulate")) {
      assertThat(line.startsWith("bin/tierwise", "simulate")).isTrue();
      CommandRun run =
          CommandRun.of(
              Arrays.stream(line.arguments(1))
                  .map(word -> word.replace("examples/", PROJECT.resolve("examples") + "/"))
                  .toArray(String[]::new));
      assertThat(run.exitCode()).as(run.err()).isZero();
      rows.add(
          "| %s | %s | %s | %s |"
              .formatted(
                  shown(run.out(), "makespan"),
                  shown(run.out(), "read rate of tasks"),
                  shown(run.out(), "write rate of tasks"),
                  shown(run.out(), "  between racks")));
    }
    assertThat(rows).hasSize(7);
    List<String> page = Files.readAllLines(GUIDE);
    for (String row : rows) {
      assertThat(page).as("a row of %s", rows).anyMatch(line -> line.endsWith(row));
    }
  }

  private static String shown(String answer, String figure) {
    Matcher line = Pattern.compile("(?m)^" + figure + " +(.+?) *$").matcher(answer);
    assertThat(line.find()).as("%s in %s", figure, answer).isTrue();
    return line.group(1);
  }
}
