package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.autotier.jobs.StagedSplits.Unusable;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of splits as Hadoop's own client writes them, and such as nobody would. */
class StagedSplitsTest {
  private static final long SEED = 18;

  @TempDir private java.nio.file.Path folder;

  private byte[] written(InputSplit... splits) throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    Path to = new Path(folder.toUri());
    JobSplitWriter.createSplitFiles(to, conf, FileSystem.getLocal(conf), splits);
    return Files.readAllBytes(folder.resolve("job.split"));
  }

  private static FileSplit split(String path, long start) {
    return new FileSplit(new Path(path), start, 100, new String[] {"host"});
  }

  /** Text as it is written, of any length that it claims to have. */
  private static byte[] list(String kind, int claimedLength) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write("SPL".getBytes(StandardCharsets.UTF_8));
    out.writeInt(1);
    WritableUtils.writeVInt(out, claimedLength);
    out.write(kind.getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }

  @Test
  void eachFileIsThereOnceHoweverManySplitsItHas() throws Exception {
    assertThat(
            StagedSplits.files(
                written(
                    split("hdfs://nn/a", 0),
                    split("hdfs://nn/a", 100),
                    split("hdfs://nn/b, c", 0))))
        .containsExactly("hdfs://nn/a", "hdfs://nn/b, c");
  }

  @Test
  void splitsThatAreNoPartsOfFilesAreNotGuessedAt() throws Exception {
    CombineFileSplit combined = new CombineFileSplit(new Path[] {new Path("/a")}, new long[] {1});
    byte[] list = written(combined);

    assertThatThrownBy(() -> StagedSplits.files(list))
        .isInstanceOf(Unusable.class)
        .hasMessage("its splits are no plain parts of files");
    assertThatThrownBy(() -> StagedSplits.files(list("java.lang.Runtime", 17)))
        .hasMessage("its splits are no plain parts of files");
  }

  @Test
  void aListThatIsDamagedIsRefusedWhereverItIsCut() throws Exception {
    byte[] whole = written(split("hdfs://nn/a", 0), split("hdfs://nn/b", 0));
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      try {
        StagedSplits.files(Arrays.copyOf(whole, length));
      } catch (Unusable e) {
        refused++;
      }
    }
    // Only after the header, and after the first of the two, is it a whole list.
    assertThat(refused).isEqualTo(whole.length - 2);
  }

  @Test
  void lengthsThatItClaimsTakeNoMemory() {
    for (int length : new int[] {Integer.MAX_VALUE, -1, 301}) {
      assertThatThrownBy(() -> StagedSplits.files(list("x", length)))
          .isInstanceOf(Unusable.class)
          .hasMessage("its list of splits is damaged");
    }
  }

  @Test
  void bytesThatMeanNothingAreRefused() throws Exception {
    Random random = new Random(SEED);
    byte[] whole = written(split("hdfs://nn/a", 0), split("hdfs://nn/b", 0));
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      try {
        assertThat(StagedSplits.files(changed)).hasSizeLessThanOrEqualTo(2);
      } catch (Unusable e) {
        assertThat(e).hasMessageStartingWith("its ");
      }
    }
  }
}
