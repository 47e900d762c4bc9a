package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** A fast tier without room fails no write. */
class FullTierIT {
  private static final int NODES = 6;
  private static final long ROOM_BYTES = 64L << 20;

  @Test
  void writeGoesOnInTheFallbackTierWhenTheFastOneFillsUpInTheMiddleOfIt() throws IOException {
    StorageType[][] types = new StorageType[NODES][];
    long[][] capacities = new long[NODES][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE});
    Arrays.fill(capacities, new long[] {6L * TieredCluster.BLOCK_BYTES, ROOM_BYTES, ROOM_BYTES});
    try (TieredCluster cluster =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS),
            new String[] {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"},
            types,
            capacities)) {
      int blocks = 80;
      Path file = new Path(cluster.directory("/managed", "network-aware:tiers=fast"), "file");
      cluster.write(file, blocks, 3);
      List<String> tiers = cluster.tiersOfBlocks(file);
      assertThat(tiers.get(0)).isEqualTo("fast fast fast");
      assertThat(tiers.get(blocks - 1)).isEqualTo("middle middle middle");
      assertThat(cluster.counters().replicas().get("tier")).isPositive();
      assertThat(cluster.counters().stockCount(StockReason.ERROR)).isZero();
      cluster.assertWhole(file, blocks);
    }
  }
}
