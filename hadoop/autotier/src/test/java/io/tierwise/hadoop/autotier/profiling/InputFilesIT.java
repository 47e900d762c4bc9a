package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.mover.MoverCluster;
import java.io.FileNotFoundException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the input of a profiling is, asked for again and again while it moves. */
class InputFilesIT {
  private static final Path FILE = new Path("/in/a");

  @TempDir private java.nio.file.Path folder;

  @Test
  void whoAsksWhereItIsIsNoReader() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_KEY, 1);
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.toFile())
            .numDataNodes(1)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    try {
      hdfs.waitActive();
      DistributedFileSystem fs = hdfs.getFileSystem();
      DFSTestUtil.createFile(fs, FILE, 1_000, (short) 1, 1);
      MoverCluster cluster = MoverCluster.of(fs, conf);
      fs.setTimes(FILE, -1, 1);

      InputFiles files = InputFiles.below(cluster, List.of("/in"));
      int disk = cluster.tiers().table().require("disk").index();
      int ssd = cluster.tiers().table().require("ssd").index();

      assertThat(files.bytesOutside(cluster, disk)).isZero();
      assertThat(files.bytesOutside(cluster, ssd)).isEqualTo(1_000);
      assertThat(fs.getFileStatus(FILE).getAccessTime()).isEqualTo(1);

      fs.delete(FILE, false);
      assertThatThrownBy(() -> files.bytesOutside(cluster, ssd))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessage(FILE + " of --input was deleted meanwhile");
    } finally {
      hdfs.shutdown();
    }
  }
}
