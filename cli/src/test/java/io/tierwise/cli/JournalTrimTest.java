package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of docs/how-to/move-data.md that removes old runs of the monitor alone. */
class JournalTrimTest {
  private static final Path GUIDE =
      Path.of(System.getProperty("tierwise.root"), "docs", "how-to", "move-data.md");

  @TempDir private Path home;

  private String run(Journal journal, String command, Duration age) throws IOException {
    String id;
    try (JournalRun run =
        journal.begin(
            command, "ann", "hdfs://here", List.of("/\"command\":\"monitor run\""), "", null)) {
      id = run.id();
    }
    Path file = journal.directory().resolve(id + ".jsonl");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    return id;
  }

  @Test
  void oldRunsOfTheMonitorGoAndNoOthers() throws Exception {
    Journal journal = new Journal(home.resolve(".tierwise").resolve("journal"));
    String gone = run(journal, "monitor run", Duration.ofDays(100));
    String alsoGone = run(journal, "monitor run", Duration.ofDays(400));
    List<String> stay =
        List.of(
            run(journal, "monitor run", Duration.ofDays(80)),
            run(journal, "autotier run", Duration.ofDays(400)),
            run(journal, "file move", Duration.ofDays(400)));
    String command =
        Files.readAllLines(GUIDE).stream()
            .filter(line -> line.startsWith("find ~/.tierwise/journal"))
            .findFirst()
            .orElseThrow();

    ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
    shell.environment().put("HOME", home.toString());
    Process process = shell.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
    assertThat(journal.runs()).isEqualTo(stay).doesNotContain(gone, alsoGone);
  }
}
