package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Input that has to go back while somebody else moves, as {@code monitor run} does for minutes. */
class InputPlacementIT {
  private static final Path FILE = new Path("/in/a");
  private static final long SECONDS_MAX = 60;

  @TempDir private java.nio.file.Path folder;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private static StorageType type(DistributedFileSystem fs) throws IOException {
    return fs.getClient().getLocatedBlocks(FILE.toString(), 0).get(0).getStorageTypes()[0];
  }

  @Test
  @Timeout(180)
  void anotherMoverIsWaitedFor() throws Exception {
    Configuration conf = new HdfsConfiguration();
    MoverCluster.prepare(conf);
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    Journal journal = new Journal(folder.resolve("journal"));
    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      hdfs.waitActive();
      DistributedFileSystem fs = hdfs.getFileSystem();
      DFSTestUtil.createFile(fs, FILE, 1_000, (short) 1, 1);
      MoverCluster cluster = MoverCluster.of(fs, conf);
      InputPlacement placement =
          new InputPlacement(
              cluster, MoverSettings.DEFAULT, journal, lock, new StopSign(), new HeardLines(said));
      placement.bring(
          InputFiles.below(cluster, List.of("/in")), cluster.tiers().table().require("ssd"));
      assertThat(type(fs)).isEqualTo(StorageType.SSD);
      said.clear();

      CompletableFuture<List<String>> back;
      try (Mover other = Mover.open(cluster, MoverSettings.DEFAULT)) {
        back =
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return placement.putBack();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
        assertThat(said.poll(SECONDS_MAX, TimeUnit.SECONDS))
            .startsWith("--input goes back as soon as it can: another mover runs");
        assertThat(other).isNotNull();
      }

      assertThat(back.get(SECONDS_MAX, TimeUnit.SECONDS)).as("nothing stays").isEmpty();
      assertThat(type(fs)).isEqualTo(StorageType.DISK);
      assertThat(said).as("it is said once").noneMatch(line -> line.contains("as soon as"));
    } finally {
      hdfs.shutdown();
    }
  }
}
