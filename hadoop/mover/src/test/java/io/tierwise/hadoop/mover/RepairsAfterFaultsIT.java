package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.inspect.compliance.TierSpread;
import io.tierwise.hadoop.mover.Repairs.Round;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Data that faults push off its layout comes back to it; on HDFS's stock defaults but for the
 * rooms.
 */
@Tag("long")
class RepairsAfterFaultsIT {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final String SSDS = "SSD SSD SSD";
  private static final long MIB = 1L << 20;

  /** Nodes with an SSD of so many bytes and a disk each. */
  private static LiveCluster nodes(long... ssdBytes) throws IOException {
    int count = ssdBytes.length;
    String[] racks = new String[count];
    StorageType[][] types = new StorageType[count][];
    long[][] capacities = new long[count][];
    for (int i = 0; i < count; i++) {
      racks[i] = "/r" + i % 2;
      types[i] = LiveCluster.BOTH;
      capacities[i] = new long[] {ssdBytes[i], 1 << 30};
    }
    Configuration conf = LiveCluster.withPlugin();
    // A DataNode takes a copy only where a whole block is free, and the tier here is small.
    conf.setLong("dfs.blocksize", LiveCluster.BLOCK_BYTES);
    return LiveCluster.start(conf, racks, types, capacities);
  }

  @Test
  void writesThatFellBackFromAFullTierComeBackWhenItHasRoom() throws IOException {
    try (LiveCluster cluster = nodes(12 * MIB, 12 * MIB, 12 * MIB)) {
      SeenMonitor monitor = new SeenMonitor(cluster);
      cluster.setPolicy("/t", ALL_SSD);
      Path filler = cluster.write("/t/filler", 10, 3);
      assertThat(cluster.typesOf(filler)).containsOnly(SSDS);
      cluster.tellOfVolumes();
      Path file = cluster.write("/t/file", 4, 3);
      assertThat(cluster.typesOf(file)).contains("DISK DISK DISK");
      LiveCluster.await("a fallback in the queue", () -> (int) shown("QueueBlocks") > 0);
      monitor.walk();
      // DataNodes would refuse the moves of a mover that believes in more room than they have.
      cluster.tellOfVolumes();
      long fallen = (int) shown("QueueBlocks");
      long noRoom = shown("Failures", "no_room");
      assertThat(monitor.repairs().round().done()).isZero();
      assertThat(shown("Failures", "no_room") - noRoom).isEqualTo(fallen);
      assertThat(cluster.typesOf(file)).contains("DISK DISK DISK");

      cluster.fs().delete(filler, false);
      LiveCluster.await(
          "room on the SSDs",
          () -> {
            cluster.tellOfVolumes();
            return cluster.mini().getDataNodes().stream().allMatch(node -> hasRoom(cluster, node));
          });
      // A repair that failed waits for a minute before it is tried again.
      Repairs running = monitor.repairs();
      Thread thread = new Thread(() -> running.run(1_000, round -> {}));
      thread.start();
      try {
        LiveCluster.await(
            "all on SSDs", () -> cluster.typesOf(file).stream().allMatch(SSDS::equals), 150);
      } finally {
        running.stop();
      }
      cluster.assertWhole(file, 4);
    }
  }

  private static boolean hasRoom(LiveCluster cluster, DataNode node) {
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    try {
      return Arrays.stream(node.getFSDataset().getStorageReports(pool))
          .filter(report -> report.getStorage().getStorageType() == StorageType.SSD)
          .allMatch(report -> report.getRemaining() > 6 * MIB);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aReplicaThatWasRestoredElsewhereComesBackWhenItsTierHasRoom() throws Exception {
    // The last node has no room for a block on its SSD.
    try (LiveCluster cluster = nodes(100 * MIB, 100 * MIB, 100 * MIB, MIB / 2)) {
      SeenMonitor monitor = new SeenMonitor(cluster);
      cluster.setPolicy("/t", ALL_SSD);
      Path file = cluster.write("/t/file", 2, 3);
      assertThat(cluster.typesOf(file)).containsOnly(SSDS);

      assertThat(cluster.lose(0)).isNotNull();
      LiveCluster.await(
          "the lost replicas on a disk",
          () -> cluster.typesOf(file).stream().allMatch("DISK SSD SSD"::equals));
      LiveCluster.await("fallbacks in the queue", () -> shown("BacklogBlocks", "fallback") == 2);

      cluster.setCapacity(2, 100 * MIB);
      Round round = monitor.repairs().round();
      assertThat(round.done()).as("%s: %s", round, shown("Failures")).isEqualTo(2);
      assertThat(cluster.typesOf(file)).containsOnly(SSDS);
      cluster.assertWhole(file, 2);
    }
  }

  /** The only node of a region is lost for good, and a new one takes its place. */
  @Test
  void aRegionThatLostItsCopyGetsOneAgain() throws Exception {
    String[] racks = {"/east/r1", "/east/r2", "/east/r3", "/west/r1"};
    try (LiveCluster cluster = LiveCluster.ofMixedNodes(LiveCluster.withPlugin(), racks)) {
      SeenMonitor monitor = new SeenMonitor(cluster);
      cluster.setPolicy("/t", "layout:2 x any in region east + 1 x any in region west");
      Path file = cluster.write("/t/file", 2, 3);
      assertThat(wholeFilesIn("west", cluster)).isOne();

      assertThat(cluster.lose(3)).isNotNull();
      LiveCluster.await(
          "copies elsewhere",
          () -> cluster.blocks(file).stream().allMatch(block -> block.getLocations().length == 3));
      assertThat(wholeFilesIn("west", cluster)).isZero();
      cluster.addNode("/west/r2", 1L << 40, 1L << 40);
      Repairs running = monitor.repairs();
      Thread thread = new Thread(() -> running.run(1_000, round -> {}));
      thread.start();
      try {
        LiveCluster.await("a copy in the west", () -> wholeFilesIn("west", cluster) == 1, 150);
      } finally {
        running.stop();
      }

      LiveCluster.await(
          "three replicas",
          () -> cluster.blocks(file).stream().allMatch(block -> block.getLocations().length == 3));
      cluster.assertWhole(file, 2);
    }
  }

  private static long wholeFilesIn(String region, LiveCluster cluster) throws IOException {
    return new FileRegions(cluster.cluster())
        .findRegion("/t/file").stream()
            .filter(row -> row.region().equals(region))
            .mapToLong(TierSpread.RegionRow::wholeFiles)
            .sum();
  }

  @Test
  void repairsGoOnAcrossARestartOfTheNameNodeAndLeaveSetrepToHdfs() throws Exception {
    try (LiveCluster cluster = nodes(100 * MIB, 100 * MIB, 100 * MIB, 100 * MIB)) {
      SeenMonitor monitor = new SeenMonitor(cluster);
      Path file = cluster.write("/t/file", 2, 3);
      List<Round> rounds = new CopyOnWriteArrayList<>();
      Repairs running = monitor.repairs();
      Thread thread = new Thread(() -> running.run(500, rounds::add));
      thread.start();
      try {
        cluster.mini().restartNameNode(false);
        LiveCluster.await("one line of what is in the way", () -> !monitor.said().isEmpty());
        cluster.mini().waitActive();
        cluster.setPolicy("/t", ALL_SSD);
        LiveCluster.await("a walk", () -> (long) shown("Walks") > 0);
        monitor.walk();
        // A NameNode that has just started often copies blocks whose nodes have yet to report. The
        // monitor leaves such blocks to it, and comes by again a minute later.
        LiveCluster.await(
            "all on SSDs", () -> cluster.typesOf(file).stream().allMatch(SSDS::equals), 150);
        LiveCluster.await("the result", () -> !rounds.isEmpty());

        cluster.fs().setReplication(file, (short) 2);
        LiveCluster.await(
            "two replicas", () -> cluster.typesOf(file).stream().allMatch("SSD SSD"::equals));
        monitor.walk();
        assertThat(shown("QueueBlocks")).isEqualTo(0);
        assertThat(rounds.stream().mapToLong(Round::done).sum())
            .as("each block at most once, as HDFS may have copied one itself: %s", rounds)
            .isBetween(1L, 2L);
      } finally {
        running.stop();
      }
      cluster.assertWhole(file, 2);
    }
  }
}
