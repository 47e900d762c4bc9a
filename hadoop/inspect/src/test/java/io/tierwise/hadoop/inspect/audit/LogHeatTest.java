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
  void aLineOfATimeToComeCountsAsOfNow() throws IOException {
    Path log =
        log(
            AuditLogFilesTest.line(0, "/ahead/1").replace(" 16:", " 18:"),
            AuditLogFilesTest.line(1, "/a"),
            AuditLogFilesTest.line(700, "/b"));
    long now = Instant.parse("2026-03-24T16:20:00Z").toEpochMilli();

    assertThat(heat(log, null).read().top(9, "/").until()).isEqualTo("2026-03-24T18:00:00Z");
    assertThat(heat(log, null).notAfter(() -> now).read().top(9, "/").until())
        .isEqualTo("2026-03-24T16:20:00Z");
  }

  /** Audit lines of one NameNode in its local time, one reader's. */
  private static String line(int hour, int minute, String path) {
    return AuditLogFilesTest.line(60 * minute, path)
        .replaceFirst("16:", String.format("%02d:", hour));
  }

  /** From 12:00 to 19:00 another NameNode was the active one, and one reader read all the time. */
  private Path[] failedOver() throws IOException {
    StringBuilder meanwhile = new StringBuilder();
    for (int minute = 0; minute <= 420; minute += 2) {
      meanwhile.append(line(12 + minute / 60, minute % 60, "/x"));
    }
    return new Path[] {
      log(line(10, 0, "/a"), line(20, 0, "/a")),
      Files.writeString(folder.resolve("nn2.log"), meanwhile)
    };
  }

  private static HeatAnswer top(Path... files) throws IOException {
    LogHeat.Wish wish = new LogHeat.Wish(List.of(files), ZoneOffset.UTC, 3_600_000, null, 1_000);
    return new LogHeat(wish).read().top(9, "/");
  }

  @Test
  void readsThatAnotherNameNodeServedMeanwhileAreCountedEach() throws IOException {
    Path[] logs = failedOver();

    HeatAnswer top = top(logs);

    assertThat(top.rows()).extracting(HeatAnswer.Row::path).containsExactly("/x", "/a");
    assertThat(top.rows()).extracting(HeatAnswer.Row::reads).containsExactly(211L, 2L);
    assertThat(top.counted().late()).isZero();
    assertThat(top.remarks()).isEmpty();
  }

  /** What only one who reads them in turn can tell: files that were joined cannot be told apart. */
  @Test
  void saysThatAFileHoldsLogsOneBehindTheOther() throws IOException {
    Path[] logs = failedOver();
    Path joined =
        Files.writeString(
            folder.resolve("joined"), Files.readString(logs[0]) + Files.readString(logs[1]));

    HeatAnswer top = top(joined);

    assertThat(top.log().behind()).isEqualTo(211);
    assertThat(top.remarks())
        .singleElement()
        .asString()
        .startsWith("99% of the accesses are over a minute older than a line before them");
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
