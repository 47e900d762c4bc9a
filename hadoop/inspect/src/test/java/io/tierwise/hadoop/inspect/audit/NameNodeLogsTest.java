package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameNodeLogsTest {
  private static final Instant NOW = Instant.parse("2026-03-24T16:00:00Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  @TempDir private Path folder;
  private final List<String> seen = new ArrayList<>();

  private static String line(double daysAgo, String path) {
    return String.format(
        "%s INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.7\tcmd=open"
            + "\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
        TIME.format(NOW.minus(Duration.ofSeconds(Math.round(daysAgo * 86_400)))), path);
  }

  /** Lines twice a day until then. */
  private static String lines(double fromDaysAgo, double toDaysAgo) {
    StringBuilder lines = new StringBuilder();
    for (double day = fromDaysAgo; day > toDaysAgo; day -= 0.5) {
      lines.append(line(day, "/each"));
    }
    return lines.append(line(toDaysAgo, "/last")).toString();
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        String.join("", lines),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private NameNodeLogs logs(List<Path> files, Path... rotated) throws IOException {
    return new NameNodeLogs(
        NameNodeLogs.Source.of(files, List.of(rotated)),
        ZoneOffset.UTC,
        (time, kind, path, destination, reader) -> seen.add(path.toString()));
  }

  /** As log4j does: each of the files gets the next number, and the log begins anew. */
  private void turn(String name, int files, String lines) {
    try {
      for (int i = files; i > 0; i--) {
        String earlier = i == 1 ? name : name + "." + (i - 1);
        Files.move(folder.resolve(earlier), folder.resolve(name + "." + i));
      }
      file(name, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private NameNodeLogs.Heard heard(List<Path> files, Path... rotated) throws IOException {
    try (NameNodeLogs logs = logs(files, rotated)) {
      logs.poll();
      return logs.covered().until(NOW.toEpochMilli());
    }
  }

  private static void assertHeard(NameNodeLogs.Heard heard, double days, String why) {
    assertThat(heard.seconds() / 86_400).isEqualTo(days);
    assertThat(heard.why()).contains(why);
  }

  @Test
  void linesOfSeveralLogsComeInTheOrderOfTheirTimes() throws IOException {
    Path first = file("nn1.log", line(3, "/a"), line(1, "/d"));
    Path second = file("nn2.log", line(2, "/b"), line(1.5, "/c"));
    Path earlier = file("nn2.log.1", line(4, "/0"));
    try (NameNodeLogs logs = logs(List.of(first, second), earlier)) {
      logs.poll();
      assertThat(seen).containsExactly("/0", "/a", "/b", "/c", "/d");
      file("nn1.log", line(0.5, "/e"));
      file("nn2.log", line(0.4, "/f"));
      logs.poll();
      assertThat(seen).containsExactly("/0", "/a", "/b", "/c", "/d", "/e", "/f");
      assertThat(logs.counts().accesses()).isEqualTo(7);
    }
  }

  @Test
  void onlyWhatAllLogsCoverIsHeard() throws IOException {
    Path first = file("nn1.log", lines(10, 0));
    Path second = file("nn2.log", line(4, "/x"));
    assertHeard(heard(List.of(first)), 10, "nn1.log begins at 2026-03-14T16:00:00Z");
    assertHeard(heard(List.of(first, second)), 4, "nn2.log begins at 2026-03-20T16:00:00Z");
  }

  @Test
  void aNameNodeOnStandbyIsSilentAndHeard() throws IOException {
    Path active = file("nn1.log", lines(10, 0));
    Path always = file("nn2.log");
    Files.setLastModifiedTime(always, FileTime.from(NOW.minus(Duration.ofDays(8))));
    assertHeard(heard(List.of(active, always)), 8, "nn2.log begins, without a line, at");

    Path failedOver = file("nn3.log", lines(31, 5));
    Path until = file("nn4.log", line(30, "/x"), lines(5, 0));
    assertHeard(heard(List.of(failedOver, until)), 30, "nn4.log begins at");
    assertHeard(heard(List.of(active, folder.resolve("none"))), 0, "none has no line yet");
  }

  @Test
  void whatNobodyWroteIsNotHeard() throws IOException {
    // As after a failover to a NameNode whose log was not given.
    Path log = file("nn1.log", lines(30, 4), lines(1, 0));
    assertHeard(heard(List.of(log)), 1, "no log has a line of the day before 2026-03-23T16");

    Path old = file("nn2.log.2", lines(30, 7));
    Path live = file("nn2.log", lines(6.5, 0));
    assertHeard(heard(List.of(live), old), 6.5, "a file of " + live + " may be missing before");
    Path between = file("nn2.log.1", lines(7, 6.5));
    assertHeard(heard(List.of(live), old, between), 30, "nn2.log begins at");

    Path stale = file("nn5.log", lines(30, 0.1));
    assertHeard(heard(List.of(stale)), 0, "the log is not written now");
    Path ahead = file("nn6.log", lines(30, -0.1));
    assertHeard(heard(List.of(ahead)), 0, "look at --zone");
    Path setBack = file("nn7.log", lines(3, 0), lines(2, 0));
    assertHeard(heard(List.of(setBack)), 2, "was set back to");
  }

  /** Earlier files of a large cluster take minutes to read, and its log turns within minutes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLogThatTurnsWhileEarlierFilesAreReadIsReadWholeAndOnce(int turns) throws IOException {
    Path oldest = file("nn1.log.2", line(0.4, "/a"), line(0.39, "/b"));
    Path older = file("nn1.log.1", line(0.38, "/c"));
    Path live = file("nn1.log", line(0.37, "/d"));
    try (NameNodeLogs logs =
        new NameNodeLogs(
            NameNodeLogs.Source.of(List.of(live), List.of(oldest, older)),
            ZoneOffset.UTC,
            (time, kind, path, destination, reader) -> {
              seen.add(path.toString());
              for (int turn = 0; path.toString().equals("/a") && turn < turns; turn++) {
                turn("nn1.log", 3 + turn, line(0.36 - turn * 0.01, "/new" + turn));
              }
            })) {
      logs.poll();
      assertThat(seen)
          .containsExactlyElementsOf(
              List.of("/a", "/b", "/c", "/d", "/new0", "/new1").subList(0, 4 + turns));
      assertThat(logs.covered().sinceMillis())
          .isEqualTo(NOW.minusSeconds(34_560).toEpochMilli()); // When the oldest file begins.
    }
  }

  /** As where few earlier files are kept: what the reader did not come to in time is no more. */
  @Test
  void whatAFileThatIsGoneBeforeItIsReadShouldHaveHadIsNotHeard() throws IOException {
    Path older = file("nn1.log.2", lines(10, 1.05));
    Path between = file("nn1.log.1", lines(1.04, 1.02));
    Path live = file("nn1.log", lines(1, 0));
    try (NameNodeLogs logs = logs(List.of(live), older, between)) {
      Files.delete(between);
      logs.poll();
      assertHeard(
          logs.covered().until(NOW.toEpochMilli()),
          1,
          between + " was taken away before it was read: lines may be missing before");
    }
  }

  /** Lines of an hour that ends a day ago, packed. */
  private static byte[] packedHour() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int second = 3_600; second > 0; second--) {
      text.append(line(1 + second / 86_400.0, "/f" + second * 7919));
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  /** Files of a log follow each other within two hours, so that the times alone show no gap. */
  @Test
  void whatACutFileShouldHaveHadIsNotHeard() throws IOException {
    Path older = file("nn1.log.2", lines(10, 1.05));
    Path live = file("nn1.log", lines(1, 0));
    byte[] packed = packedHour();
    Path between = folder.resolve("nn1.log.1.gz");
    Files.write(between, packed);
    assertHeard(heard(List.of(live), older, between), 10, "nn1.log begins at");

    Files.write(between, Arrays.copyOf(packed, packed.length / 2));
    assertHeard(
        heard(List.of(live), older, between),
        1,
        between + " is cut or damaged: lines may be missing before 2026-03-23T16:00:00Z");
  }

  /** As after a failover: it is on standby since, and its new file has no line that would tell. */
  @Test
  void whatACutFileShouldHaveHadIsNotHeardOfANameNodeOnStandby() throws IOException {
    Path older = file("nn1.log.2", lines(10, 1.05));
    byte[] packed = packedHour();
    Path last = folder.resolve("nn1.log.1.gz");
    Path standby = file("nn1.log");
    Files.setLastModifiedTime(standby, FileTime.from(NOW.minus(Duration.ofHours(12))));
    Path active = file("nn2.log", lines(10, 0));
    Files.write(last, packed);
    assertHeard(heard(List.of(standby, active), older, last), 10, "nn2.log begins at");

    Files.write(last, Arrays.copyOf(packed, packed.length / 2));
    assertHeard(
        heard(List.of(standby, active), older, last), 0.5, last + " is cut or damaged: lines may");

    Files.delete(standby);
    assertHeard(
        heard(List.of(standby, active), older, last), 0, last + " is cut or damaged: lines may");
  }

  /** As by logrotate's copytruncate: the line of the file that nobody has read is gone. */
  @Test
  void whatWasWrittenBeforeTheLogWasCutInPlaceIsNotHeard() throws IOException {
    Path live = file("nn1.log", lines(10, 1));
    try (NameNodeLogs logs = logs(List.of(live))) {
      logs.poll();
      file("nn1.log", line(0.6, "/lost"));
      Files.copy(live, folder.resolve("nn1.log.1"));
      Files.writeString(live, line(0.5, "/next"));
      logs.poll();
      file("nn1.log", line(0, "/last"));
      logs.poll();

      assertThat(seen).contains("/next").doesNotContain("/lost");
      assertHeard(
          logs.covered().until(NOW.toEpochMilli()),
          0.5,
          live
              + " was cut in place (as by logrotate's copytruncate): lines may be missing before"
              + " 2026-03-24T04:00:00Z");
    }
  }

  @Test
  void anEarlierFileIsOfTheLogWhoseNameItBeginsWith() {
    Path first = Path.of("/nn1/audit.log");
    Path second = Path.of("/nn2/audit.log");
    Path third = Path.of("/nn2/audit.log.b");
    Path ofFirst = Path.of("/nn1/audit.log.1");
    Path ofSecond = Path.of("/nn2/audit.log.1");
    Path ofThird = Path.of("/nn2/audit.log.b.1");
    assertThat(
            NameNodeLogs.Source.of(
                List.of(first, second, third), List.of(ofThird, ofSecond, ofFirst)))
        .containsExactly(
            new NameNodeLogs.Source(first, List.of(ofFirst)),
            new NameNodeLogs.Source(second, List.of(ofSecond)),
            new NameNodeLogs.Source(third, List.of(ofThird)));
    Path anywhere = Path.of("/old/1.gz");
    assertThat(NameNodeLogs.Source.of(List.of(first), List.of(anywhere)))
        .containsExactly(new NameNodeLogs.Source(first, List.of(anywhere)));
    assertThatThrownBy(() -> NameNodeLogs.Source.of(List.of(first, second), List.of(anywhere)))
        .hasMessageStartingWith("/old/1.gz is an earlier file of none of the logs");
    assertThatThrownBy(
            () -> NameNodeLogs.Source.of(List.of(first, Path.of("/nn1/./audit.log")), List.of()))
        .hasMessageStartingWith("a log is given twice");
    assertThatThrownBy(
            () -> NameNodeLogs.Source.of(List.of(first), List.of(Path.of("/nn1/./audit.log"))))
        .hasMessageStartingWith("--rotated /nn1/./audit.log is the log that grows");
  }
}
