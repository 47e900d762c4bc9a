package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.autotier.AuditedHdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands and the rules of docs/how-to/autotier.md as they stand there. */
class AutotierGuideIT {
  private static final Path GUIDE =
      CommandReferenceTest.projectFolder().resolve("docs/how-to/autotier.md");
  private static final Pattern RULES =
      Pattern.compile("```\\n(path matches .*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  private CommandRun run(AuditedHdfs hdfs, GuideCommands.Line line) throws IOException {
    List<String> words = new ArrayList<>();
    for (String word : line.arguments(1)) {
      words.add(word.matches("hdfs-audit.log|rules.txt") ? folder.resolve(word).toString() : word);
    }
    if (words.contains("--audit-log")) {
      words.addAll(List.of("--zone", ZoneId.systemDefault().getId(), "--window", "1 d"));
    }
    return hdfs.run(words.toArray(String[]::new));
  }

  @Test
  void everyCommandOfTheGuideRuns() throws IOException, InterruptedException {
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
    Matcher rules = RULES.matcher(Files.readString(GUIDE));
    assertThat(rules.find()).isTrue();
    Files.writeString(folder.resolve("rules.txt"), rules.group(1));
    List<String> answers = new ArrayList<>();
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      hdfs.write("/data/hot", 3);
      hdfs.read("/data/hot", 12);
      for (int i = 0; i < 9; i++) {
        hdfs.write("/data/logs/day-" + i, 3);
        hdfs.read("/data/logs/day-" + i, 1);
        hdfs.write("/data/tables/part-" + i, 3);
        hdfs.read("/data/tables/part-" + i, 2);
      }
      for (GuideCommands.Line line : GuideCommands.of(GUIDE, "autotier")) {
        CommandRun run = run(hdfs, line);
        assertThat(run.exitCode()).as("%s: %s %s", line, run.out(), run.err()).isZero();
        EveryCommandTest.assertFits(line.toString(), run.out());
        answers.add(run.unfolded());
      }
    }

    assertThat(answers).hasSize(11);
    assertThat(answers.get(0))
        .startsWith("would change 1 file: 195.3 KiB come")
        .contains("19 files");
    assertThat(answers.get(1)).contains("/data/hot: 3 -> 5 replicas");
    assertThat(answers.get(2))
        .contains("would change 10 files: ", "fires for 9 files of 9", "9 files to ssd");
    assertThat(answers.get(3)).contains("10 files have another number", "9 replicas have another");
    assertThat(answers.get(4)).contains("autotier run");
    assertThat(answers.get(5)).contains("-> ssd@");
    // The daemon of the command before has ended.
    assertThat(answers.get(6)).startsWith("stopped (").contains("paused by");
    assertThat(answers.get(8)).startsWith("stopped (").doesNotContain("paused by");
    assertThat(answers.get(10)).contains("moved 9 replicas");
  }
}
