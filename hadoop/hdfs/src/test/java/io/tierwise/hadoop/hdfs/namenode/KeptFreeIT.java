package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/**
 * A tier whose volumes are full by the DataNodes' measure though a block would fit. By Hadoop's
 * default a DataNode takes no block for a volume that would have less than 1 GiB left.
 */
class KeptFreeIT {
  private static final int BLOCK = 1 << 20;
  private static final int BLOCKS = 3;
  private static final long GIB = 1L << 30;
  private static final String[] RACKS = {"/r1", "/r1", "/r2"};

  private static TieredCluster withFastVolumesOf(long bytes) throws IOException {
    StorageType[][] types = new StorageType[RACKS.length][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE});
    long[][] capacities = new long[RACKS.length][];
    Arrays.fill(capacities, new long[] {bytes, 20 * GIB, 20 * GIB});
    return TieredCluster.startWithStockDefaults(
        TieredCluster.THREE_TIERS, RACKS, types, capacities);
  }

  private static Path write(TieredCluster cluster) throws IOException {
    Path file = new Path(cluster.directory("/managed", "layout:3 x fast"), "f");
    byte[] content = new byte[BLOCKS * BLOCK];
    new Random(1).nextBytes(content);
    try (FSDataOutputStream out = cluster.files().create(file, true, 4096, (short) 3, BLOCK)) {
      out.write(content);
    }
    cluster.awaitReplicas(file, 3);
    assertThat(cluster.read(file)).isEqualTo(content);
    return file;
  }

  @Test
  void blocksFallBackFromVolumesOfWhichTheDataNodesKeepTheRestFree() throws IOException {
    try (TieredCluster cluster = withFastVolumesOf(GIB)) {
      List<String> decided = listen(cluster);
      Path file = write(cluster);
      assertThat(cluster.tiersOfBlocks(file))
          .as("%s", decided)
          .hasSize(BLOCKS)
          .noneMatch(tiers -> tiers.contains("fast"));
      assertThat(cluster.counters().fallbacks())
          .as("%s", decided)
          .containsEntry("fast/full", 3L * BLOCKS);
    }
  }

  @Test
  void volumesWithThatMuchAndRoomForTheBlocksTakeThem() throws IOException {
    try (TieredCluster cluster = withFastVolumesOf(GIB + GIB / 4)) {
      List<String> decided = listen(cluster);
      assertThat(cluster.tiersOfBlocks(write(cluster)))
          .as("%s", decided)
          .containsOnly("fast fast fast");
    }
  }

  /** The plug-in's decisions from now on. */
  private static List<String> listen(TieredCluster cluster) {
    List<String> decided = new CopyOnWriteArrayList<>();
    cluster.host().listen((file, request, view, made) -> decided.add(made.describe(view)));
    return decided;
  }
}
