package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.history.TraceException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFileTest {
  private static final String ROWS = "a\t1\t0\t1\t0\t1\n".repeat(20_000);

  @TempDir Path folder;

  @Test
  void saysThatAFileDoesNotExist() {
    assertFails(folder.resolve("none"), "none: does not exist");
  }

  @Test
  void saysThatAFolderIsNoFile() {
    assertFails(folder, ": is a folder, name a file in it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"swim", "rumen", "jhist", "spark", "jobs"})
  void saysThatAFileIsEmpty(String format) {
    Path file = TraceText.file(folder, "empty", "");
    assertThatThrownBy(() -> TraceText.read(TraceText.spec(format, file)))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith("empty: is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"swim", "rumen", "spark", "jobs"})
  void saysThatATraceHasNoJob(String format) {
    Path file = TraceText.file(folder, "blank", "\n \n".strip() + "\n");
    assertThatThrownBy(() -> TraceText.read(TraceText.spec(format, file)))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith("blank: has no job");
  }

  @Test
  void saysThatAllRowsAreBad() {
    Path file = TraceText.file(folder, "bad", "x\ny\n");
    assertThatThrownBy(() -> TraceText.read(TraceText.skipping("swim", file)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("bad: all 2 rows are bad, first ")
        .hasMessageContaining("bad:1: 'x' has 1 tab");
  }

  @Test
  void saysThatGzipIsCutOff() {
    byte[] packed = TraceText.gzip(ROWS);
    Path file = TraceText.file(folder, "cut.gz", Arrays.copyOf(packed, packed.length / 2));
    assertFails(file, "the gzip data ends too early, the file is cut off");
  }

  @Test
  void saysThatGzipIsDamaged() {
    byte[] packed = TraceText.gzip(ROWS);
    Arrays.fill(packed, packed.length / 2, packed.length / 2 + 10, (byte) 0xff);
    Path file = TraceText.file(folder, "damaged.gz", packed);
    assertFails(file, "the gzip data ");
  }

  @Test
  void saysThatZstdIsDamaged() {
    byte[] bytes = java.util.HexFormat.of().parseHex("28b52ffd00000000");
    assertFails(
        TraceText.file(folder, "damaged.zst", bytes), "the zstd data is cut off or damaged (");
  }

  @ParameterizedTest
  @CsvSource({"4c5a344200000000,lz4", "fd377a585a000000,xz", "425a683931415926,bzip2"})
  void namesAPackingThatItDoesNotUnpack(String hex, String packing) {
    byte[] bytes = java.util.HexFormat.of().parseHex(hex);
    assertFails(
        TraceText.file(folder, "packed", bytes),
        "packed: is packed with " + packing + ", unpack it or pack it with gzip or zstd");
  }

  @Test
  void namesTheFormatsThatItKnows() {
    Path file = TraceText.file(folder, "t", ROWS);
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("swin", file)))
        .isInstanceOf(TraceException.class)
        .hasMessage("trace format 'swin' is not known: swim, rumen, jhist, spark or jobs");
  }

  private static void assertFails(Path file, String problem) {
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("swim", file)))
        .isInstanceOf(TraceException.class)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("\n");
  }
}
