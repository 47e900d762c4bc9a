package io.tierwise.hadoop.hdfs.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerifiedInputStreamTest {
  private static final int CHUNK_BYTES = 100;

  /** Two whole chunks, and a part of a third. */
  private static final int BYTES = 250;

  private static final String FILE = "/a/file";

  @TempDir private Path folder;

  private final byte[] data = random();

  private static byte[] random() {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /** A copy of the bytes as they were, of which the store has others. */
  private FSDataInputStream open(SecondaryStore store, byte[] stored) throws IOException {
    ChunkSums sums = new ChunkSums(CHUNK_BYTES);
    sums.update(data, 0, BYTES);
    CopyDescription description =
        new CopyDescription(
            CopyDescription.VERSION,
            "BP-1",
            7,
            FILE,
            BYTES,
            ChunkSums.text(sums.whole()),
            CHUNK_BYTES,
            0,
            "ann",
            "staff",
            (short) 0640,
            (short) 3,
            BYTES,
            null,
            "HOT",
            Map.of(),
            "2026-01-01T00:00:00Z");
    StoredCopy copy = store.copy("BP-1", 7);
    Path file = Path.of(copy.data().toUri().getPath());
    Files.createDirectories(file.getParent());
    Files.write(file, stored);
    return copy.open(new CopyDescription.Checked(description, sums.chunks()), FILE);
  }

  private SecondaryStore store() throws IOException {
    Configuration conf = new Configuration();
    conf.set(SecondaryKeys.STORES, folder.toUri().toString().replaceAll("/$", ""));
    return SecondaryStores.of(conf).all().get(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 99, 100, 199, 200, 249})
  void aChunkWithAWrongByteIsHandedToNobodyAndTheOthersAre(int wrong) throws IOException {
    byte[] stored = data.clone();
    stored[wrong] ^= 1;
    int bad = wrong / CHUNK_BYTES;
    try (SecondaryStore store = store();
        FSDataInputStream in = open(store, stored)) {
      for (int chunk = 0; chunk <= BYTES / CHUNK_BYTES; chunk++) {
        int from = chunk * CHUNK_BYTES;
        byte[] read = new byte[Math.min(CHUNK_BYTES, BYTES - from)];
        if (chunk == bad) {
          assertThatThrownBy(() -> in.readFully(from, read))
              .isInstanceOf(IOException.class)
              .hasMessageContaining(FILE)
              .hasMessageContaining("does not match its checksum at bytes " + from);
          assertThat(read).as("nothing was handed out").containsOnly(0);
        } else {
          in.readFully(from, read);
          assertThat(read).isEqualTo(Arrays.copyOfRange(data, from, from + read.length));
        }
      }
    }
  }
}
