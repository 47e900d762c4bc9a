package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** Moves on an HDFS without the plug-in. */
class MoverOnStockIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1"};
  private static final StorageType[][] TYPES = {
    {StorageType.DISK}, {StorageType.DISK}, {StorageType.DISK}, {StorageType.SSD}
  };

  @Test
  void stockHdfsIsAskedOnlyForWhatItsStoragePolicyKeeps() throws IOException {
    Configuration conf = LiveCluster.plain();
    LiveCluster.haveHdfsHurry(conf);
    try (LiveCluster cluster = LiveCluster.start(conf, RACKS, TYPES, null)) {
      Path hot = cluster.write("/t/hot", 1, 3);
      Path oneSsd = cluster.write("/t/one", 1, 3);
      cluster.fs().setStoragePolicy(oneSsd, "ONE_SSD");

      MoverReport report =
          cluster.move(LiveCluster.quick(), cluster.order("layout:1 x ssd + 2 x disk", "/t"));

      assertThat(cluster.typesOf(oneSsd)).containsOnly("DISK DISK SSD");
      assertThat(cluster.typesOf(hot)).containsOnly("DISK DISK DISK");
      assertThat(report.left())
          .extracting(MoverReport.Left::reason)
          .containsExactly("the NameNode would undo it");
      assertThat(report.left()).extracting(MoverReport.Left::example).containsExactly("/t/hot");
    }
  }
}
