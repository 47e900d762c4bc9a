package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that cannot be written to their end, as of a process. */
class CutAnswerTest {
  @TempDir private Path folder;

  private List<String> words(String command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    if (words.contains("ID")) {
      words.set(words.indexOf("ID"), journal());
      words.addAll(List.of("--journal", folder.toString()));
    }
    return words;
  }

  /** A run of one step: 'journal ID' asks after each whether somebody reads. */
  private String journal() throws IOException {
    try (JournalRun run =
        new Journal(folder).begin("file move", "ann", "hdfs://nn", List.of("/a"), "x", null)) {
      run.append(new JournalEntry.Policy("/a", 7, null, "hybrid"));
      return run.id();
    }
  }

  private static int ended(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"policy list", "policy list --json", "journal ID", "--help", "policy get --help"})
  void aFullDiskIsAnError(String command) throws Exception {
    Process process =
        new ProcessBuilder(TierwiseJvm.line(words(command).toArray(String[]::new)))
            .redirectOutput(new File("/dev/full"))
            .start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(ended(process)).as(said).isEqualTo(ExitCode.CLUSTER);
    assertThat(said.strip().lines())
        .singleElement()
        .asString()
        .startsWith("tierwise")
        .contains("the answer is cut: standard output cannot be written (No space left on device)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"policy list", "journal ID"})
  void anAnswerThatNobodyReadsEndsQuietly(String command) throws Exception {
    Process process =
        new ProcessBuilder(TierwiseJvm.line(words(command).toArray(String[]::new))).start();
    process.getInputStream().close();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(ended(process)).as(said).isEqualTo(ExitCode.UNREAD);
    assertThat(said).isEmpty();
  }

  @Test
  void anAnswerThatIsWrittenIsTheSame() throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(TierwiseJvm.line("policy", "list"))
            .redirectOutput(out.toFile())
            .redirectError(Redirect.INHERIT)
            .start();

    assertThat(ended(process)).isZero();
    assertThat(Files.readString(out)).isEqualTo(CommandRun.of("policy", "list").out());
  }
}
