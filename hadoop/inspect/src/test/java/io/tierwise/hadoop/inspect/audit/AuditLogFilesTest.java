package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class AuditLogFilesTest {
  @TempDir private Path folder;

  private final List<String> seen = new ArrayList<>();
  private final AccessSink sink =
      (time, kind, path, destination, reader) -> seen.add(path.toString());

  static String line(int second, String path) {
    return String.format(
        "2026-03-24 16:%02d:%02d,000 INFO FSNamesystem.audit: allowed=true\tugi=ann"
            + " (auth:SIMPLE)\tip=/10.0.0.7\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
        second / 60, second % 60, path);
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("", lines));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private AuditCounts read(Path... files) throws IOException {
    return AuditLogFiles.inOrder(List.of(files), ZoneOffset.UTC).read(sink);
  }

  @Test
  void filesThatGetOtherNamesWhileTheyAreReadAreReadOnceEach() throws IOException {
    Path oldest = file("audit.log.2", line(10, "/a"));
    Path older = file("audit.log.1", line(20, "/b"));
    Path newest = file("audit.log", line(30, "/c"));
    AuditLogFiles files = AuditLogFiles.inOrder(List.of(oldest, older, newest), ZoneOffset.UTC);
    Files.move(oldest, folder.resolve("audit.log.3"));
    Files.move(older, oldest);
    Files.move(newest, older);
    file("audit.log", line(40, "/d"));

    assertThat(files.read(sink).accesses()).isEqualTo(3);
    assertThat(seen).containsExactly("/a", "/b", "/c");
  }

  @Test
  void filesComeInTheOrderOfTheirTimesWhateverTheirNames() throws IOException {
    Path newest = file("hdfs-audit.log", line(30, "/c"));
    Path older = file("hdfs-audit.log.10", "a trace from before\n", line(10, "/a"));
    Path between = folder.resolve("hdfs-audit.log.9.gz");
    Files.write(between, gzip(line(20, "/b1")));
    // As a log is appended to a gzip file: two members.
    Files.write(between, gzip(line(21, "/b2")), StandardOpenOption.APPEND);

    AuditCounts counts = read(newest, between, older);

    assertThat(seen).containsExactly("/a", "/b1", "/b2", "/c");
    assertThat(counts.lines()).isEqualTo(5);
    assertThat(counts.corrupt()).isEqualTo(1);
    assertThat(counts.firstCorrupt())
        .isEqualTo(older + ":1: this is no line of an HDFS audit log: a trace from before");
  }

  /** As those of NameNodes that were active in turn, and of an observer beside them. */
  @Test
  void linesOfFilesWhoseTimesOverlapComeInTheOrderOfTheirTimes() throws IOException {
    Path active = file("nn1", line(10, "/1"), line(11, "/2"), line(900, "/8"), line(901, "/9"));
    Path after = folder.resolve("nn2.gz");
    Files.write(after, gzip(line(100, "/3") + line(300, "/6") + line(400, "/7")));
    Path observer = file("nn3", line(200, "/4"), line(201, "/5"), line(1_000, "/last"));

    AuditCounts counts = read(observer, after, active);

    assertThat(seen).containsExactly("/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9", "/last");
    assertThat(counts.accesses()).isEqualTo(10);
  }

  /** One line's time says nothing about those behind it. */
  @Test
  void aSpoiltTimeHoldsUpNoOtherLine() throws IOException {
    String ahead = line(11, "/2").replaceFirst("2026", "2096");
    String back = line(12, "/3").replaceFirst("2026", "1996");
    read(
        file("nn1", line(10, "/1"), ahead, back, line(40, "/5")),
        file("nn2", line(20, "/4"), line(50, "/6")));

    assertThat(seen).containsExactly("/1", "/2", "/3", "/4", "/5", "/6");
  }

  /** As {@code <(zcat log)} is one: its begin, read to put files in order, would not come again. */
  @Test
  @Timeout(60)
  void aPipeIsRefusedSinceItsBeginWouldBeMissing() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> read(pipe))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(pipe + " is a pipe or a device, which cannot be read twice");
    assertThat(seen).isEmpty();
  }

  /** As {@code hdfs-audit.log hdfs-audit.log*} names it, or a rotation that packs leaves it. */
  @Test
  void oneLogTwiceIsRefusedAndFilesOfOneTimeComeByName() throws IOException {
    Path log = file("hdfs-audit.log", line(10, "/a"), line(11, "/b"));
    Path packed = folder.resolve("hdfs-audit.log.1.gz");
    Files.write(packed, gzip(line(10, "/a") + line(11, "/b")));
    for (Path again : List.of(log, folder.resolve("./" + log.getFileName()), packed)) {
      assertThatThrownBy(() -> read(log, again))
          .hasMessageContaining(log + " and " + again + " begin with the same lines");
    }

    Path second = file("b", line(20, "/2"));
    read(second, file("a", line(20, "/1")), file("empty"), file("empty too"));
    assertThat(seen).containsExactly("/1", "/2");
  }

  /** An older release writes a newline in a name as it is: a name could forge whole lines. */
  @Test
  void aLineThatANameForgedIsNotCounted() throws IOException {
    String forged = line(5, "/victim");
    AuditCounts counts =
        read(file("log", line(1, "/a"), line(2, "/x\n" + forged.strip()), line(3, "/b")));

    assertThat(seen).containsExactly("/a", "/b");
    assertThat(counts.corrupt()).isEqualTo(2);
    assertThat(counts.firstCorrupt()).contains("log:2: the line ends before its path does: 2026");
  }

  @Test
  void aFileThatEndsInTheMiddleOfALineOrHasNoLastNewlineIsReadAsFarAsItGoes() throws IOException {
    String whole = line(1, "/a");
    AuditCounts counts =
        read(
            file("1", whole, line(2, "/b").stripTrailing()),
            file("2", line(3, "/c").substring(0, 99)));

    assertThat(seen).containsExactly("/a", "/b");
    assertThat(counts.corrupt()).isEqualTo(1);
  }

  @Test
  void aDamagedGzipFileIsNamedAndTheOthersAreRead() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      text.append(line(i, "/f" + i * 7919));
    }
    byte[] packed = gzip(text.toString());
    Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(packed, packed.length / 2));
    AuditCounts counts = read(cut, file("next", line(3_000, "/z")));

    assertThat(seen).contains("/f0", "/z").hasSizeLessThan(601);
    assertThat(counts.firstCorrupt())
        .startsWith(cut + ":")
        .contains("the gzip file is cut or damaged");
  }

  @Test
  void aFileThatOnlyBeginsAsGzipIsNamed() throws IOException {
    Path none = Files.write(folder.resolve("none.gz"), new byte[] {0x1f, (byte) 0x8b, 'n', 'o'});

    AuditCounts counts = read(none, file("next", line(1, "/z")));

    assertThat(seen).containsExactly("/z");
    assertThat(counts.firstCorrupt()).startsWith(none + ":0: the gzip file is cut or damaged");
  }

  @Test
  void linesOfAnyLengthAreReadOrCountedAsCorrupt() throws IOException {
    String longName = "/" + "x".repeat(700_000);
    AuditCounts counts =
        read(
            file(
                "log",
                line(1, longName),
                line(2, "/" + "y".repeat(3_000_000)),
                line(3, "/b"),
                line(4, "/c")));

    assertThat(seen).containsExactly(longName, "/c");
    assertThat(counts.lines()).isEqualTo(4);
    assertThat(counts.corrupt()).isEqualTo(2);
    assertThat(counts.firstCorrupt()).contains("log:2: a line of more than 1048576 bytes");
  }

  @Test
  void saysWhichFileIsMissingOrNone() throws IOException {
    assertThatThrownBy(() -> read(folder.resolve("none")))
        .hasMessageContaining("none is not there");
    assertThatThrownBy(() -> read(folder)).hasMessageContaining("is a directory: name the files");
    assertThat(read(file("empty")).lines()).isZero();
  }
}
