package io.tierwise.hadoop.inspect.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsImageTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise/fsimage");
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private record Seen(long bytes, long storedBytes, int replicas, int storagePolicy) {}

  private static Map<String, Seen> files(Path image) throws IOException {
    Map<String, Seen> files = new LinkedHashMap<>();
    FsImage.read(
        image,
        file ->
            files.put(
                file.path().toString(),
                new Seen(file.bytes(), file.storedBytes(), file.replicas(), file.storagePolicy())));
    return files;
  }

  @Test
  void tellsPathsSizesReplicasAndPoliciesThatDirectoriesHandDown() throws IOException {
    Map<String, Seen> files = files(SAMPLE);

    assertThat(files).hasSize(368);
    assertThat(files.get("/warehouse/shop.db/sales/day=60/part-3"))
        .isEqualTo(new Seen(512 * MIB, 3 * 512 * MIB, 3, 0));
    assertThat(files.get("/archive/2024/sales-9").storagePolicy()).isEqualTo(2);
    assertThat(files.get("/models/current.bin").storagePolicy()).isEqualTo(12);
    assertThat(files.get("/user/eve/<img src=x onerror=alert(1)>\t\n&amp;\"'.csv"))
        .isEqualTo(new Seen(700 * MIB, 1400 * MIB, 2, 0));
  }

  @Test
  void countsFilesAndDirectories() throws IOException {
    ImageCounts counts = FsImage.read(SAMPLE, file -> {});

    assertThat(counts.files()).isEqualTo(368);
    assertThat(counts.directories()).isEqualTo(86);
    assertThat(counts.snapshotFiles()).isZero();
    assertThat(counts.layoutVersion()).isEqualTo(-67);
  }

  private void assertRefused(Path image, String text) {
    assertThatThrownBy(() -> files(image))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(image.toString())
        .hasMessageContaining(text)
        .message()
        .hasLineCount(1);
  }

  private Path written(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("image"), bytes);
  }

  @Test
  void refusesWhatIsNoImage() throws IOException {
    assertRefused(folder.resolve("absent"), "is not there");
    assertRefused(folder, "is no file");
    assertRefused(written(new byte[0]), "is no fsimage");
    assertRefused(
        written("2026-03-24 an audit log\n".getBytes(StandardCharsets.UTF_8)), "is no fsimage");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(Files.readAllBytes(SAMPLE));
    }
    assertRefused(written(packed.toByteArray()), "is packed with gzip");
  }

  @Test
  void refusesACutImageWhereverItWasCut() throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    for (int length = 8; length < whole.length; length += whole.length / 97) {
      assertRefused(written(Arrays.copyOf(whole, length)), "is cut or damaged");
    }
    assertRefused(written(Arrays.copyOf(whole, whole.length - 1)), "is cut or damaged");
  }

  @Test
  void refusesAnotherVersion() throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    int end = whole.length - Integer.BYTES;
    int length = ByteBuffer.wrap(whole).getInt(end);
    FileSummary summary =
        FileSummary.parseDelimitedFrom(new ByteArrayInputStream(whole, end - length, length));
    for (int version : new int[] {-99, -40}) {
      ByteArrayOutputStream changed = new ByteArrayOutputStream();
      changed.write(whole, 0, end - length);
      summary.toBuilder().setLayoutVersion(version).build().writeDelimitedTo(changed);
      int changedLength = changed.size() - (end - length);
      changed.write(ByteBuffer.allocate(Integer.BYTES).putInt(changedLength).array());

      assertRefused(written(changed.toByteArray()), "layout version " + version);
    }
  }

  /** Nothing but an answer or one line comes of any damage. */
  @Test
  void neverFailsOtherwiseOnADamagedImage() throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    Random random = new Random(1);
    int refused = 0;
    for (int run = 0; run < 300; run++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(whole.length);
      // The tables and the summary are short, and stand at the end.
      at = run % 2 == 0 ? at : whole.length - 1 - random.nextInt(2_000);
      damaged[at] = (byte) random.nextInt(256);
      try {
        files(written(damaged));
      } catch (OperatorException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(20, 299);
  }
}
