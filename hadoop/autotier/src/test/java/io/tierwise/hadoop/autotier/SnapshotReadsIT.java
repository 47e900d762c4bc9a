package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are read in a snapshot, as by a backup. There they have the number of replicas of that
 * time; a change of it would be one of the file as it is now.
 */
class SnapshotReadsIT {
  private static final int NODES = 4;
  private static final short USUAL = 1;
  private static final int READERS = 12;

  @TempDir private Path folder;

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  @Test
  void theNumberThatSomebodyGaveAFileSinceStays() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.replication", USUAL);
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(NODES)
            .build();
    try {
      hdfs.waitActive();
      DistributedFileSystem fs = hdfs.getFileSystem();
      StringBuilder log = new StringBuilder();
      for (int cold = 0; cold < 9; cold++) {
        DFSTestUtil.createFile(fs, hadoop("/data/" + cold), 1, USUAL, 1);
        log.append(RuledAutotier.opened("/data/" + cold, "ann"));
      }
      DFSTestUtil.createFile(fs, hadoop("/data/hot"), 1, USUAL, 1);
      DFSTestUtil.createFile(fs, hadoop("/data/plain"), 1, USUAL, 1);
      fs.allowSnapshot(hadoop("/data"));
      fs.createSnapshot(hadoop("/data"), "monday");
      fs.setReplication(hadoop("/data/hot"), (short) NODES);
      for (int reader = 0; reader < READERS; reader++) {
        log.append(RuledAutotier.opened("/data/.snapshot/monday/hot", "reader" + reader));
        log.append(RuledAutotier.opened("/data/plain", "reader" + reader));
      }

      RoundPlan plan =
          new Autotier(
                  MoverCluster.of(fs, conf),
                  new AutotierSettings(
                      "ppa", TimeUnit.DAYS.toMillis(1), 50, 1, 0, List.of("/"), 100),
                  RuledAutotier.logs(folder, log.toString()),
                  new Journal(folder.resolve("journal")),
                  line -> {})
              .plan();

      assertThat(plan.changes())
          .as("the other one is as popular")
          .extracting(RoundPlan.Change::path)
          .containsExactly("/data/plain");
    } finally {
      hdfs.shutdown();
    }
  }
}
