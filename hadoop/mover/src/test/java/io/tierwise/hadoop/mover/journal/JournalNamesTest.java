package io.tierwise.hadoop.mover.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of runs, which are their order, and files of other names beside them. */
class JournalNamesTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:34:56Z");

  @TempDir private Path folder;
  private Journal journal;

  @BeforeEach
  void open() {
    journal = new Journal(folder.resolve("journal"), InstantSource.fixed(NOW));
  }

  private JournalRun begin() {
    return journal.begin("file move", "hdfs", "hdfs://nn", List.of("/dir"), "3 x ssd", null);
  }

  @Test
  void theLatestRunIsTheLastToBeginThoughTheClockIsSetBack() throws IOException {
    Instant[] now = {NOW};
    journal = new Journal(folder.resolve("clock"), () -> now[0]);
    List<String> begun = new ArrayList<>();
    for (long seconds : new long[] {0, -3600, -3600, 86_400, 0, 86_401}) {
      now[0] = NOW.plusSeconds(seconds);
      try (JournalRun run = begin()) {
        begun.add(run.id());
        assertThat(journal.resolve("last")).isEqualTo(run.id());
      }
    }

    assertThat(journal.runs()).isEqualTo(begun).doesNotHaveDuplicates();
  }

  /** A clock that was set back from the far future would give them all one second's. */
  @Test
  void idsDoNotRunOut() throws IOException {
    Files.createDirectories(journal.directory());
    for (int i = 1; i <= 1_000; i++) {
      String id = "20260131-123456" + (i == 1 ? "" : "-" + i);
      Files.createFile(journal.directory().resolve(id + ".jsonl"));
    }

    try (JournalRun run = begin()) {
      assertThat(run.id()).isEqualTo("20260131-123457");
    }
    try (JournalRun run = begin()) {
      assertThat(journal.resolve("last")).isEqualTo(run.id()).isEqualTo("20260131-123457-2");
    }
  }

  @Test
  void aFileOfAnotherNameIsNoRunThatOthersFollow() throws IOException {
    Files.createDirectories(journal.directory());
    for (String name :
        List.of("notes", "99999999-999999", "20260131-123499.bak", "20260231-123499", "out")) {
      Files.writeString(journal.directory().resolve(name + ".jsonl"), "{}\n");
    }

    try (JournalRun run = begin()) {
      assertThat(run.id()).isEqualTo("20260131-123456");
      assertThat(journal.resolve("last")).isEqualTo(run.id());
      assertThat(journal.runs()).containsExactly(run.id());
    }
  }
}
