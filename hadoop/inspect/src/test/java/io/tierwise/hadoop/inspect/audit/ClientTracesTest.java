package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientTracesTest {
  private static final String POOL = "BP-7-10.0.0.1-1700000000000";
  private static final String TIME = "2026-03-24 16:00:00,000 ";
  private static final String TAIL =
      ", offset: 0, srvID: u-1, blockid: " + POOL + ":blk_1073741825_1001, duration(ns): 5";

  @TempDir private Path folder;

  private static String before(long sent, String client) {
    return TIME
        + "DEBUG DataNode.clienttrace: src: /10.0.0.7:9866, dest: /10.0.0.9:4, volume: /data/1,"
        + " bytes: "
        + sent
        + ", op: HDFS_READ, cliID: "
        + client;
  }

  private static String read(String block, long sent) {
    return (before(sent, "DFSClient_1") + TAIL + "\n").replace("1073741825", block);
  }

  private static String shortCircuit(String block) {
    return TIME
        + "INFO DataNode.clienttrace: src: 127.0.0.1, dest: 127.0.0.1, op:"
        + " REQUEST_SHORT_CIRCUIT_FDS, blockid: "
        + block
        + ", srvID: u-1, success: true\n";
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static ClientTraces readAll(String pool, Path... files) throws IOException {
    ClientTraces.Wish wish =
        new ClientTraces.Wish(List.of(files), ZoneOffset.UTC, pool, ChecksummedBytes.DEFAULT);
    return ClientTraces.read(wish, 0, Long.MAX_VALUE);
  }

  private ClientTraces readText(String text) throws IOException {
    return readAll(null, file("datanode.log", text));
  }

  private static long bytes(ClientTraces traces, long block) {
    return traces.bytes(traces.number(block));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "516, 512", "1032, 1024", "5, 1", "517, 509", "1352785, 1342297"})
  void checksumsAreTakenOff(long sent, long data) {
    assertThat(ChecksummedBytes.DEFAULT.data(sent)).isEqualTo(data);
    assertThat(new ChecksummedBytes(512, 0).data(sent)).isEqualTo(sent);
  }

  @Test
  void bytesAddUpByBlock() throws IOException {
    ClientTraces traces =
        readText(
            read("5", 516)
                + read("5", 516)
                + read("-9223372036854775792", 1032)
                + shortCircuit("6")
                + shortCircuit("6").replace("true", "false")
                // What releases before 3.5 write, and what else a DataNode logs.
                + read("7", 516).replace(", volume: /data/1", "")
                + read("8", 516).replace("HDFS_READ", "HDFS_WRITE")
                + read("8", 516).replace("src: ", "cliID: src: ")
                + TIME
                + "INFO DataNode: Receiving BP-7:blk_8_1 src: /10.0.0.7:1 dest: /10.0.0.9:2\n"
                + "java.io.IOException: at work\n");

    assertThat(bytes(traces, 5)).isEqualTo(1024);
    assertThat(traces.reads(traces.number(5))).isEqualTo(2);
    assertThat(bytes(traces, -9223372036854775792L)).isEqualTo(1024);
    assertThat(bytes(traces, 7)).isEqualTo(512);
    assertThat(traces.shortCircuits(traces.number(6))).isEqualTo(1);
    assertThat(traces.number(8)).isEqualTo(-1);
    assertThat(traces.nodeCount()).isEqualTo(1);
    assertThat(traces.counts()).isEqualTo(new TraceCounts(10, 4, 1, 0, 0, 0, null, 2_580));
  }

  @Test
  void manyBlocksHaveRoom() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 5_000; i++) {
      text.append(read(String.valueOf(i), 516L * i));
    }
    ClientTraces traces = readText(text.toString());

    assertThat(traces.blockCount()).isEqualTo(5_000);
    assertThat(bytes(traces, 1)).isEqualTo(512);
    assertThat(bytes(traces, 5_000)).isEqualTo(512 * 5_000);
  }

  /** A client may give itself any name. */
  @Test
  void aNameThatLooksLikeFieldsChangesNone() throws IOException {
    String forged = TAIL.replace("1073741825", "9").replace("u-1", "u-2");
    ClientTraces traces =
        readText(
            before(516, "x" + forged + ", bytes: 99999999, op: HDFS_READ, cliID: y") + TAIL + "\n");

    assertThat(bytes(traces, 1073741825)).isEqualTo(512);
    assertThat(traces.number(9)).isEqualTo(-1);
    assertThat(traces.counts().corrupt()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x\n", "x\nand\nmore\n"})
  void aNameWithNewlinesWritesNoLineOfItsOwn(String name) throws IOException {
    ClientTraces traces =
        readText(before(516, name) + read("9", 1 << 30) + "y" + TAIL + "\n" + read("5", 516));

    assertThat(traces.number(9)).isEqualTo(-1);
    assertThat(bytes(traces, 5)).isEqualTo(512);
    assertThat(traces.counts().corrupt()).isEqualTo(2);
    assertThat(traces.counts().firstCorrupt()).contains("datanode.log:1: the line ends before");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes: 516=bytes: 51x",
        "bytes: 516=bytes: ",
        "bytes: 516=bytes: -516",
        "bytes: 516=bytes: 99999999999999999999",
        "blk_1073741825_1001=blk_1073741825",
        "blk_1073741825_1001=blk__1001",
        "blk_1073741825_1001=blk_99999999999999999999_1001",
        "blk_1073741825_1001=blk_0_1001",
        ":blk_= blk_",
        "duration(ns): 5=duration(ns): five",
        "duration(ns): 5=duration(ns): ",
        ", offset: 0, srvID: u-1, blockid=, bid",
        ", op: HDFS_READ=, op: HDFS_RE",
      })
  void damagedLinesAreCountedAndTold(String change) throws IOException {
    String[] fromTo = change.split("=", -1);
    String line = (before(516, "DFSClient_1") + TAIL).replace(fromTo[0], fromTo[1]);
    String spoilt = line.contains("HDFS_RE,") ? line.substring(0, line.indexOf(", cliID")) : line;
    String other = TIME + "INFO DataNode: at work\n";
    ClientTraces traces = readText(other + spoilt + "\n" + other + read("5", 516));

    assertThat(traces.counts().corrupt()).isEqualTo(1);
    assertThat(traces.counts().firstCorrupt()).contains("datanode.log:2: ", "src: /10.0.0.7");
    assertThat(traces.counts().reads()).isEqualTo(1);
  }

  @Test
  void sumsOfForgedLinesDoNotWrap() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      text.append(read("5", 999_999_999_999_999_999L));
    }
    assertThat(bytes(readText(text.toString()), 5)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void rotatedAndGzippedFilesAreReadAndACutOneIsTold() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      for (int i = 0; i < 3_000; i++) {
        out.write(read(String.valueOf(100 + i), 516).getBytes(StandardCharsets.UTF_8));
      }
    }
    Path whole = Files.write(folder.resolve("datanode.log.1.gz"), bytes.toByteArray());
    Path plain = file("datanode.log", read("5", 516));
    assertThat(readAll(null, whole, plain).counts().reads()).isEqualTo(3_001);

    Path cut =
        Files.write(folder.resolve("cut.gz"), Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));
    TraceCounts counts = readAll(null, cut, plain).counts();
    assertThat(counts.reads()).isBetween(100L, 2_999L);
    assertThat(counts.firstCorrupt()).contains("cut.gz:");
  }

  @Test
  void blockPoolsAreToldApart() throws IOException {
    Path log = file("datanode.log", read("5", 516) + read("5", 516).replace("BP-7", "BP-8"));

    assertThatThrownBy(() -> readAll(null, log))
        .isInstanceOf(OperatorException.class)
        .hasMessageContainingAll("several block pools, BP-7-", " and BP-8-", "--block-pool");
    ClientTraces traces = readAll(POOL, log);
    assertThat(bytes(traces, 5)).isEqualTo(512);
    assertThat(traces.counts().otherPool()).isEqualTo(1);
    assertThatThrownBy(() -> readAll("BP-9", log))
        .hasMessageContaining("2 are of other block pools than --block-pool BP-9");
  }

  @Test
  void whatIsNoTraceIsRefused() throws IOException {
    Path other = file("other.log", TIME + "INFO DataNode: up\n");
    assertThatThrownBy(() -> readAll(null, other))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("DataNode.clienttrace is at DEBUG");
    assertThatThrownBy(() -> readAll(null, other, folder.resolve("./other.log")))
        .hasMessageContaining("is given twice");
    assertThatThrownBy(() -> readAll(null, folder.resolve("absent")))
        .hasMessageContaining("is not there");
    Path log = file("datanode.log", read("5", 516));
    ClientTraces.Wish wish =
        new ClientTraces.Wish(List.of(log), ZoneOffset.UTC, null, ChecksummedBytes.DEFAULT);
    assertThatThrownBy(() -> ClientTraces.read(wish, 0, 1_000))
        .hasMessageContaining("1 are of another time than the audit log");
  }
}
