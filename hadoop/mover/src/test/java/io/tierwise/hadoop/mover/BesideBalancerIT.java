package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.balancer.Balancer;
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

  /** Two thirds of an SSD are in use after the moves, and nothing of one that comes later. */
  private static final long SSD_ROOM = 9L * BLOCK_BYTES;

  /** All is written to disks first, beside the locks of the mover and the Balancer. */
  private static final long DISK_ROOM = 27L * BLOCK_BYTES;

  /** It rests for nine seconds between its iterations, and gives up after five without a move. */
  private static final int BALANCER_SECONDS_MAX = 150;

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

  /** {@code hdfs balancer} without a word of configuration but where HDFS is. */
  private static Process balancer(LiveCluster cluster, java.nio.file.Path said) throws IOException {
    ProcessBuilder builder =
        ChildJvm.of(Balancer.class, "256m", "-fs", cluster.fs().getUri().toString());
    return builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
  }

  /** What repairs and the Balancer did while it ran. */
  private record Beside(List<Repairs.Round> rounds, String said, long backOffs) {}

  /** Runs the Balancer to its end, or for a while, beside repairs that go on. */
  private Beside balance(LiveCluster cluster, Path file) throws Exception {
    SeenMonitor monitor = new SeenMonitor(cluster);
    long backOffsBefore = shown("BackOffs", "balancer");
    List<Repairs.Round> rounds = new CopyOnWriteArrayList<>();
    Repairs running = monitor.repairs();
    Thread thread = new Thread(() -> running.run(1_000, rounds::add), "test-repairs");
    thread.start();
    java.nio.file.Path said = folder.resolve("balancer.txt");
    Process balancer = balancer(cluster, said);
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BALANCER_SECONDS_MAX);
      while (!balancer.waitFor(50, TimeUnit.MILLISECONDS) && System.nanoTime() < end) {
        cluster.blocks(file).forEach(BesideBalancerIT::assertOnAnSsd);
      }
    } finally {
      balancer.destroy();
      assertThat(balancer.waitFor(1, TimeUnit.MINUTES)).isTrue();
      running.stop();
      thread.join();
    }
    monitor.walk();
    return new Beside(
        rounds, Files.readString(said), shown("BackOffs", "balancer") - backOffsBefore);
  }

  private static void assertOnAnSsd(LocatedBlock block) {
    assertThat(block.getStorageTypes()).contains(StorageType.SSD);
  }

  private static long onNodes(LiveCluster cluster, Path file, Set<String> nodes)
      throws IOException {
    return cluster.blocks(file).stream()
        .flatMap(block -> Arrays.stream(block.getLocations()))
        .filter(node -> nodes.contains(node.getDatanodeUuid()))
        .count();
  }

  @Test
  void itMovesWithinTheTiersAndNothingBack() throws Exception {
    try (LiveCluster cluster = start("/r1", "/r2", "/r3")) {
      Path file = moved(cluster);
      Set<String> empty =
          Set.of(
              cluster.addNode("/r1", SSD_ROOM, DISK_ROOM),
              cluster.addNode("/r2", SSD_ROOM, DISK_ROOM));

      Beside beside = balance(cluster, file);

      assertThat(onNodes(cluster, file, empty)).as(beside.said()).isPositive();
      assertThat(cluster.typesOf(file)).hasSize(BLOCKS).containsOnly("DISK DISK SSD");
      assertThat(beside.rounds()).isEmpty();
      assertThat(beside.backOffs()).isZero();
      assertThat(shown("QueueBlocks")).isEqualTo(0);
    }
  }
}
