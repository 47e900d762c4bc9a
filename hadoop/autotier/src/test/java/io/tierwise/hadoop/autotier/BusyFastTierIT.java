package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.TierPromotions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stock HDFS with an SSD on one node and a disk on the other; people read from the SSD. */
class BusyFastTierIT {
  private static final int READERS = 40;

  /** More than sockets hold, so that a reader that rests keeps its DataNode sending. */
  private static final long BUSY_BYTES = 64L << 20;

  @TempDir private Path folder;
  private MiniDFSCluster hdfs;

  @Test
  void nothingComesWhileReadersOfTheFastTierWouldBeServedSoonerByTheSlowOne() throws Exception {
    Configuration conf = new HdfsConfiguration();
    TwoTierHdfs.tellTiers(conf, folder);
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(2)
            .storagesPerDatanode(1)
            .storageTypes(new StorageType[][] {{StorageType.SSD}, {StorageType.DISK}})
            .build();
    List<FSDataInputStream> readers = new ArrayList<>();
    try {
      hdfs.waitActive();
      DistributedFileSystem fs = hdfs.getFileSystem();
      KnownFile hot = write("/hot", TwoTierHdfs.FILE_BYTES);
      fs.mkdirs(new org.apache.hadoop.fs.Path("/fast"));
      fs.setStoragePolicy(new org.apache.hadoop.fs.Path("/fast"), "ALL_SSD");
      KnownFile busy = write("/fast/busy", BUSY_BYTES);
      MoverCluster cluster = MoverCluster.of(fs, conf);
      FastTier fast =
          new FastTier(
              cluster,
              TwoTierHdfs.tiered().build(),
              new Hardware(true, 1, 1, 1, 0, Map.of("ssd", 1L << 30)),
              "ssd",
              new QuotasAbove(cluster));
      assertThat(paths(fast, hot, new LeftFiles())).containsExactly(hot.path());

      for (int i = 0; i < READERS; i++) {
        FSDataInputStream reader = fs.open(new org.apache.hadoop.fs.Path(busy.path()));
        readers.add(reader);
        assertThat(reader.read()).isNotNegative();
      }
      awaitTransfers(READERS, Integer.MAX_VALUE);
      LeftFiles left = new LeftFiles();
      assertThat(paths(fast, hot, left)).isEmpty();
      assertThat(left.list())
          .extracting(RoundPlan.Left::reason)
          .containsExactly(TierPromotions.BOTTLENECK);

      close(readers);
      awaitTransfers(0, READERS / 4);
      assertThat(paths(fast, hot, new LeftFiles())).containsExactly(hot.path());
    } finally {
      close(readers);
      hdfs.shutdown();
    }
  }

  private static void close(List<FSDataInputStream> readers) throws IOException {
    for (FSDataInputStream reader : readers) {
      reader.close();
    }
    readers.clear();
  }

  private KnownFile write(String path, long bytes) throws IOException {
    DistributedFileSystem fs = hdfs.getFileSystem();
    DFSTestUtil.createFile(fs, new org.apache.hadoop.fs.Path(path), bytes, (short) 1, 1);
    return new KnownFile(path, fs.getClient().getFileInfo(path).getFileId(), bytes, 1, 1, 0);
  }

  /** The NameNode hears of them with heartbeats. */
  private void awaitTransfers(int least, int most) throws Exception {
    GenericTestUtils.waitFor(
        () -> {
          try {
            hdfs.triggerHeartbeats();
            int now =
                List.of(hdfs.getFileSystem().getDataNodeStats(DatanodeReportType.LIVE)).stream()
                    .mapToInt(node -> node.getXceiverCount())
                    .max()
                    .orElseThrow();
            return now >= least && now <= most;
          } catch (IOException e) {
            return false;
          }
        },
        100,
        TimeUnit.MINUTES.toMillis(1));
  }

  private List<String> paths(FastTier fast, KnownFile hot, LeftFiles left) throws IOException {
    LastChanges none =
        LastChanges.of(new Journal(folder.resolve("journal")), ClusterUri.of(hdfs.getFileSystem()));
    return fast
        .plan(
            "ppa",
            List.of(new FastTier.Popular(hot, 1_000)),
            new FastTier.There(Map.of(), Map.of(), none),
            1L << 30,
            2e9,
            left)
        .stream()
        .flatMap(move -> move.paths().stream())
        .toList();
  }
}
