package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of what attempts make, and how a store's files are read back. */
class NamesAndReadsTest {
  @TempDir Path folder;

  @Test
  void aNameTellsItsAttempt() {
    WorkName name = new WorkName(16412, Attempt.begin(), WorkName.Kind.BODY);
    assertThat(WorkName.parse(name.toString())).contains(name);
    assertThat(Attempt.begin()).isNotEqualTo(name.attempt());
    assertThat(Attempt.begin().toString()).matches(Attempt.PATTERN);
  }

  @Test
  void otherNamesAreNotOurs() {
    for (String name :
        new String[] {
          ".tierwise-1.recall",
          ".tierwise-notes",
          ".tierwise-1-20261126T204343Z-0000000g.recall",
          ".tierwise-1-20261326T204343Z-00000000.recall",
          ".tierwise-1-20261126T204343Z-00000000.recall.txt",
          "x.tierwise-1-20261126T204343Z-00000000.recall"
        }) {
      assertThat(WorkName.parse(name)).as(name).isEmpty();
    }
  }

  /** Of all lengths around the blocks that a direct read is made of. */
  @Test
  void whatIsReadBackIsWhatIsThere() throws IOException {
    FileSystem fs =
        ((LocalFileSystem) FileSystem.newInstance(folder.toUri(), new Configuration()))
            .getRawFileSystem();
    for (int bytes : new int[] {0, 1, 511, 4095, 4096, 4097, 262_144, 262_145, 1_000_003}) {
      byte[] data = new byte[bytes];
      new Random(bytes).nextBytes(data);
      Path file = folder.resolve("file" + bytes);
      Files.write(file, data);
      try (InputStream in =
          ReadBack.open(fs, new org.apache.hadoop.fs.Path(file.toUri()), remark -> {})) {
        assertThat(in.readAllBytes()).as("%s bytes", bytes).isEqualTo(data);
      }
    }
  }

  @Test
  void readsThatMayComeFromMemoryAreTold() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory));
    Path file = Files.createTempFile(memory, "tierwise", ".part");
    try {
      Files.write(file, new byte[5000]);
      StringBuilder said = new StringBuilder();
      FileSystem fs =
          ((LocalFileSystem) FileSystem.newInstance(file.toUri(), new Configuration()))
              .getRawFileSystem();
      try (InputStream in =
          ReadBack.open(fs, new org.apache.hadoop.fs.Path(file.toUri()), said::append)) {
        assertThat(in.readAllBytes()).hasSize(5000);
      }
      assertThat(isDirect(file)).isEqualTo(said.isEmpty());
    } finally {
      Files.delete(file);
    }
  }

  private static boolean isDirect(Path file) {
    try (InputStream in = DirectInputStream.open(file)) {
      return in.read() == 0;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
