package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogHeatTest {
  @TempDir private Path folder;

  private Path log(String... lines) throws IOException {
    return Files.writeString(folder.resolve("hdfs-audit.log"), String.join("", lines));
  }

  private static LogHeat heat(Path file, Instant since) {
    return new LogHeat(new LogHeat.Wish(List.of(file), ZoneOffset.UTC, 600_000, since, 1_000));
  }

  @Test
  void countsByFileDirectoryAndTable() throws IOException {
    LogHeat heat =
        heat(
                log(
                    AuditLogFilesTest.line(0, "/w/t/dt=1/f"),
                    AuditLogFilesTest.line(700, "/w/t/dt=2/f"),
                    AuditLogFilesTest.line(1_300, "/w/t/dt=2/f"),
                    AuditLogFilesTest.line(1_301, "/w/t/dt=2/f")),
                null)
            .read();

    HeatAnswer top = heat.top(1, "/");
    assertThat(top.rows())
        .containsExactly(new HeatAnswer.Row("/w/t/dt=2/f", 2, 2L, 0, 1, 1, "2026-03-24T16:21:41Z"));
    assertThat(top.windowSeconds()).isEqualTo(600);
    assertThat(top.runningSince()).isEqualTo("2026-03-24T16:20:00Z");
    assertThat(top.counted().continued()).isEqualTo(1);
    assertThat(top.remarks()).isEmpty();
    assertThat(heat.file("/none").rows().get(0).reads()).isZero();
    assertThat(heat.directories(9, "/", 2).rows())
        .extracting(HeatAnswer.Row::path)
        .containsExactly("/w/t");
    assertThat(heat.tables(9, List.of()).rows())
        .containsExactly(new HeatAnswer.Row("/w/t", 3, null, 1, 1, 1, null));
  }

  @Test
  void leavesOutWhatIsEarlierThanSince() throws IOException {
    Path log = log(AuditLogFilesTest.line(0, "/a"), AuditLogFilesTest.line(60, "/b"));

    assertThat(heat(log, Instant.parse("2026-03-24T16:01:00Z")).read().top(9, "/").rows())
        .extracting(HeatAnswer.Row::path)
        .containsExactly("/b");
  }

  @Test
  void refusesAFileThatIsNoAuditLog() throws IOException {
    Path other = log("a line\nanother\n");
    assertThatThrownBy(() -> heat(other, null).read())
        .hasMessageContaining("no line of an HDFS audit log in")
        .hasMessageContaining("log:1: this is no line of an HDFS audit log: a line");
    Path empty = log();
    assertThatThrownBy(() -> heat(empty, null).read()).hasMessageContaining("is empty");
  }

  @Test
  void followsALogThatGrows() throws IOException, InterruptedException {
    Path log = log(AuditLogFilesTest.line(0, "/a"));
    LogHeat heat = heat(log, null);
    List<Integer> sizes = new ArrayList<>();
    heat.follow(
        1,
        () -> {
          int size = heat.top(9, "/").rows().size();
          if (size == sizes.size()) {
            return; // Its line has not been read yet.
          }
          sizes.add(size);
          try {
            Files.writeString(
                log, AuditLogFilesTest.line(1, "/" + size), StandardOpenOption.APPEND);
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        () -> sizes.size() == 3);

    assertThat(sizes).containsExactly(1, 2, 3);
  }
}
