package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is large is gone through, and not kept: each of these fits into a small heap. */
class MemoryTest {
  @TempDir private Path folder;

  private static String outputOf(ProcessBuilder process) throws IOException {
    Process running = process.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  void aPlanKeepsNoneOfItsMoves() throws IOException {
    assertThat(outputOf(ChildJvm.of(ManyBlocks.class, "32m", "30000"))).isEqualTo("90000");
  }

  /** Long: make test has the memory of a plan. */
  @Tag("long")
  @Test
  void ofARunInTheJournalNoStepIsKept() throws IOException {
    String id = LongRun.write(new Journal(folder), 25_000);

    assertThat(outputOf(ChildJvm.of(LongRun.class, "24m", folder.toString(), id)))
        .isEqualTo("25000 25000");
  }
}
