package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * SSDs of two kinds, told apart by racks, beside Hadoop's Balancer, a process of its own: to it
 * they are one storage type, of which the one kind is full and the other empty.
 */
@Tag("long")
class BalancerBetweenKindsIT {
  private static final String TIERS =
      """
      tiers:
        - {name: nvme, match: {storage-type: SSD, racks: ["/fast/*"]}}
        - {name: sata, match: {storage-type: SSD, racks: ["/slow/*"]}}
        - {name: disk, match: {storage-type: DISK, racks: [DISKS]}}
      """;

  /** The Balancer leaves smaller blocks than 10 MiB alone. */
  private static final int BLOCK_BYTES = 11 << 20;

  private static final int BLOCKS = 18;

  /**
   * Of a volume. The Balancer counts the room of those alone that have a block of its own default
   * size left, 128 MiB: with less it finds no target, and says that no block can be moved.
   */
  private static final long ROOM = 15L * BLOCK_BYTES;

  private static final String MONITOR = "io.tierwise.hadoop.hdfs.namenode.Monitor";
  private static final StorageType[] SSD = {StorageType.SSD};
  private static final StorageType[] DISK = {StorageType.DISK};

  @TempDir private java.nio.file.Path folder;

  /**
   * @param diskRacks patterns of the racks whose nodes have disks
   */
  private Configuration conf(boolean safeDeletion, String diskRacks) throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    String tiers = TIERS.replace("DISKS", diskRacks);
    conf.set(
        "tierwise.tiers.file", Files.writeString(folder.resolve("tiers.yaml"), tiers).toString());
    conf.setBoolean("tierwise.namenode.layout-safe-deletion.enabled", safeDeletion);
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    return conf;
  }

  private static LiveCluster start(
      Configuration conf, String[] racks, StorageType[][] types, long... rooms) throws IOException {
    long[][] capacities = new long[racks.length][];
    Arrays.fill(capacities, rooms);
    return LiveCluster.start(conf, racks, types, capacities);
  }

  /** Nodes of each kind, and some with nothing but a disk: no two have a tier in common. */
  private LiveCluster apart(boolean safeDeletion) throws IOException {
    String[] racks = {"/fast/r1", "/fast/r2", "/slow/r1", "/slow/r2", "/disk/r1", "/disk/r2"};
    StorageType[][] types = {SSD, SSD, SSD, SSD, DISK, DISK};
    return start(conf(safeDeletion, "\"/disk/*\""), racks, types, 2 * ROOM);
  }

  /** Nodes of each kind have a disk, too. */
  private LiveCluster beside(boolean safeDeletion) throws IOException {
    String[] racks = {"/fast/r1", "/fast/r2", "/fast/r3", "/slow/r1", "/slow/r2"};
    StorageType[][] types = new StorageType[racks.length][];
    Arrays.fill(types, LiveCluster.BOTH);
    return start(conf(safeDeletion, "\"/fast/*\", \"/slow/*\""), racks, types, ROOM, 3 * ROOM);
  }

  /** On SSDs of the one kind first; the monitor's repairs bring it to the other. */
  private static Path repaired(LiveCluster cluster) throws IOException {
    Path file = new Path("/t/file");
    cluster.setPolicy("/t", "layout:1 x sata + 2 x disk");
    try (FSDataOutputStream out = cluster.fs().create(file, true, 4096, (short) 3, BLOCK_BYTES)) {
      for (int block = 0; block < BLOCKS; block++) {
        out.write(new byte[BLOCK_BYTES]);
      }
    }
    assertThat(ssdsOn(cluster, file, "/slow")).isEqualTo(BLOCKS);
    cluster.fs().removeXAttr(new Path("/t"), "user.tierwise.placement");
    cluster.setPolicy("/t", "layout:1 x nvme + 2 x disk");
    SeenMonitor monitor = new SeenMonitor(cluster);
    monitor.walk();
    assertThat(monitor.repairs().round().done()).isEqualTo(BLOCKS);
    assertThat(ssdsOn(cluster, file, "/fast")).isEqualTo(BLOCKS);
    cluster.tellOfVolumes();
    return file;
  }

  private static long ssdsOn(LiveCluster cluster, Path file, String racks) throws IOException {
    return cluster.blocks(file).stream().filter(block -> hasSsdOn(block, racks)).count();
  }

  private static boolean hasSsdOn(LocatedBlock block, String racks) {
    DatanodeInfo[] nodes = block.getLocations();
    for (int i = 0; i < nodes.length; i++) {
      if (block.getStorageTypes()[i] == StorageType.SSD
          && nodes[i].getNetworkLocation().startsWith(racks)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void theNameNodeDropsWhatItMovesToTheOtherKind() throws Exception {
    try (LiveCluster cluster = beside(true)) {
      Path file = repaired(cluster);
      AtomicLong copies = new AtomicLong();

      BalancerBeside beside =
          BalancerBeside.run(
              cluster,
              folder,
              () -> {
                assertThat(ssdsOn(cluster, file, "/fast")).isEqualTo(BLOCKS);
                copies.accumulateAndGet(ssdsOn(cluster, file, "/slow"), Math::max);
              });

      assertThat(copies).as(beside.said()).hasPositiveValue();
      LiveCluster.await("only wanted replicas", () -> ssdsOn(cluster, file, "/slow") == 0);
      assertThat(beside.rounds()).isEmpty();
      assertThat(beside.backOffs()).isZero();
      assertThat(shown("QueueBlocks")).isEqualTo(0);
    }
  }

  @Test
  void whatItMovesBackWhereNoLayoutIsKeptSoIsLeftAloneAndTheSettingKeepsItOff() throws Exception {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(MONITOR));
    try (LiveCluster cluster = apart(false)) {
      Path file = repaired(cluster);

      BalancerBeside keptOff =
          BalancerBeside.run(
              cluster,
              folder,
              () -> assertThat(ssdsOn(cluster, file, "/slow")).isZero(),
              "-D",
              "dfs.block.replicator.classname=" + TierwisePlacementPolicy.class.getName(),
              "-D",
              "tierwise.tiers.file=" + folder.resolve("tiers.yaml"));
      assertThat(ssdsOn(cluster, file, "/fast")).as(keptOff.said()).isEqualTo(BLOCKS);
      assertThat(keptOff.backOffs()).isZero();

      BalancerBeside beside = BalancerBeside.run(cluster, folder, () -> {});
      long back = BLOCKS - ssdsOn(cluster, file, "/fast");

      assertThat(back).as(beside.said()).isPositive();
      assertThat(beside.backOffs()).isEqualTo(back);
      assertThat(shown("LeftAloneBlocks")).isEqualTo(Math.toIntExact(back));
      assertThat(shown("QueueBlocks")).isEqualTo(0);
      assertThat(beside.rounds()).as("of repairs that would fight").isEmpty();
      assertThat(log.getOutput())
          .contains(
              "Blocks that were repaired, such as one of /t/file, were moved back by Hadoop's"
                  + " Balancer (on 127.0.0.1)",
              "set tierwise.namenode.layout-safe-deletion.enabled to true here, and"
                  + " tierwise.balancer.within-tiers.enabled to true where it runs");
    } finally {
      log.stopCapturing();
    }
  }
}
