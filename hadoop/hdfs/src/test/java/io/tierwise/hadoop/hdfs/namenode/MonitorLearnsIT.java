package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.Urgency;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** The monitor learns from decisions between two walks, on HDFS's stock defaults. */
class MonitorLearnsIT {
  private static final int BLOCK = 1 << 20;
  private static final long GIB = 1L << 30;

  /** By Hadoop's default a DataNode takes no block for a volume of a gibibyte. */
  private static TieredCluster withoutRoomOnOneFastVolume() throws IOException {
    String[] racks = {"/r1", "/r1", "/r2"};
    StorageType[][] types = new StorageType[racks.length][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE});
    long[][] capacities = new long[racks.length][];
    Arrays.fill(capacities, new long[] {20 * GIB, 20 * GIB, 20 * GIB});
    capacities[2] = new long[] {GIB, 20 * GIB, 20 * GIB};
    return TieredCluster.startWithStockDefaults(
        TieredCluster.THREE_TIERS, racks, types, capacities);
  }

  @Test
  void aWriteThatFellBackIsQueuedAsOneWhoeverFindsItFirst() throws IOException {
    try (TieredCluster cluster = withoutRoomOnOneFastVolume()) {
      Monitor monitor = cluster.monitor();
      TieredCluster.await("the first walk", () -> monitor.walks() > 0);
      Path file = new Path(cluster.directory("/managed", "layout:3 x fast"), "f");
      long walksBefore = monitor.walks();
      try (FSDataOutputStream out = cluster.files().create(file, true, 4096, (short) 3, BLOCK)) {
        out.write(new byte[2 * BLOCK]);
      }
      cluster.awaitReplicas(file, 3);
      assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast fast middle");

      TieredCluster.await("both blocks", () -> monitor.backlog().queueSize() == 2);
      List<Misplaced> queued = monitor.backlog().first(10, Monitor.nowSeconds());
      assertThat(queued)
          .allSatisfy(
              block -> {
                assertThat(block.urgency()).isEqualTo(Urgency.FALLBACK);
                assertThat(block.replicas()).isEqualTo(1);
              });
      monitor.walkNow();
      TieredCluster.await("a walk", () -> monitor.walks() >= walksBefore + 1);
      assertThat(monitor.backlog().first(10, Monitor.nowSeconds())).isEqualTo(queued);

      // As if the decision's own look were still due: it comes for a minute after the write.
      queued.forEach(block -> monitor.backlog().asWanted(block.blockId()));
      monitor.walkNow();
      TieredCluster.await("both by a walk", () -> monitor.backlog().queueSize() == 2);
      assertThat(monitor.backlog().first(10, Monitor.nowSeconds()))
          .extracting(Misplaced::urgency)
          .containsOnly(Urgency.FALLBACK);
    }
  }
}
