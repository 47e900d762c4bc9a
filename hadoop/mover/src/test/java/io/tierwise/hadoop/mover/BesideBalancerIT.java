package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data that was moved stays where it was moved to, beside Hadoop's Balancer: a process of its own
 * with HDFS's defaults alone, which knows nothing of tiers, and repairs that go on meanwhile.
 */
@Tag("long")
class BesideBalancerIT {
  /** The Balancer leaves smaller blocks than 10 MiB alone. */
  private static final int BLOCK_BYTES = 11 << 20;

  private static final int BLOCKS = 18;

  /**
   * Two fifths of an SSD are in use after the moves, and nothing of one that comes later. The
   * Balancer counts the room of volumes alone that have a block of its own default size left, 128
   * MiB.
   */
  private static final long SSD_ROOM = 15L * BLOCK_BYTES;

  /** All is written to disks first, beside the locks of the mover and the Balancer. */
  private static final long DISK_ROOM = 27L * BLOCK_BYTES;

  @TempDir private java.nio.file.Path folder;

  private static LiveCluster start(String... racks) throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    // A DataNode takes a copy only where a whole block is free, and the volumes here are small.
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    StorageType[][] types = new StorageType[racks.length][];
    long[][] rooms = new long[racks.length][];
    Arrays.fill(types, LiveCluster.BOTH);
    Arrays.fill(rooms, new long[] {SSD_ROOM, DISK_ROOM});
    return LiveCluster.start(conf, racks, types, rooms);
  }

  /** On disks first, and then moved. */
  private static Path moved(LiveCluster cluster) throws IOException {
    Path file = new Path("/t/file");
    cluster.setPolicy("/t", "layout:3 x disk");
    try (FSDataOutputStream out = cluster.fs().create(file, true, 4096, (short) 3, BLOCK_BYTES)) {
      for (int block = 0; block < BLOCKS; block++) {
        out.write(new byte[BLOCK_BYTES]);
      }
    }
    cluster.fs().removeXAttr(new Path("/t"), "user.tierwise.placement");
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    assertThat(cluster.move(LiveCluster.quick(), cluster.order("", "/t")).left()).isEmpty();
    cluster.tellOfVolumes();
    return file;
  }

  private static void assertOnAnSsd(LocatedBlock block) {
    assertThat(block.getStorageTypes()).contains(StorageType.SSD);
  }

  /** The storage types of the replicas there. */
  private static List<StorageType> onNodes(LiveCluster cluster, Path file, Set<String> nodes)
      throws IOException {
    List<StorageType> found = new ArrayList<>();
    for (LocatedBlock block : cluster.blocks(file)) {
      for (int i = 0; i < block.getLocations().length; i++) {
        if (nodes.contains(block.getLocations()[i].getDatanodeUuid())) {
          found.add(block.getStorageTypes()[i]);
        }
      }
    }
    return found;
  }

  @Test
  void itMovesWithinTheTiersAndNothingBack() throws Exception {
    try (LiveCluster cluster = start("/r1", "/r2", "/r3")) {
      Path file = moved(cluster);
      Set<String> empty =
          Set.of(
              cluster.addNode("/r1", SSD_ROOM, DISK_ROOM),
              cluster.addNode("/r2", SSD_ROOM, DISK_ROOM));

      BalancerBeside beside =
          BalancerBeside.run(
              cluster, folder, () -> cluster.blocks(file).forEach(BesideBalancerIT::assertOnAnSsd));

      assertThat(onNodes(cluster, file, empty))
          .as(beside.said())
          .contains(StorageType.SSD, StorageType.DISK);
      assertThat(cluster.typesOf(file)).hasSize(BLOCKS).containsOnly("DISK DISK SSD");
      assertThat(beside.rounds()).isEmpty();
      assertThat(beside.backOffs()).isZero();
      assertThat(shown("QueueBlocks")).isEqualTo(0);
    }
  }
}
