package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A write returns when its first region has its replicas; HDFS copies the others afterwards. */
class AsyncRegionsIT {
  private static final int BLOCK = 1 << 20;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    // A busy machine may take longer than its eleven seconds while heartbeats are held back.
    conf.unset(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY);
    cluster = TieredCluster.start(conf, "/A/r1", "/A/r1", "/A/r2", "/B/r1", "/B/r1", "/B/r2");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static AsyncReplicas async() {
    return cluster.monitor().async();
  }

  /** Nothing is copied until {@link #close}, so that the window can be looked at. */
  private static FSDataOutputStream open(Path file, int blocks, int replicas) throws IOException {
    Outages.copyNothing(cluster);
    FSDataOutputStream out = cluster.files().create(file, true, 4096, (short) replicas, BLOCK);
    out.write(new byte[blocks * BLOCK + 1]);
    out.hflush();
    return out;
  }

  private static void close(FSDataOutputStream out) throws IOException {
    Outages.copyAgain(cluster);
    out.close();
  }

  private static void awaitWhole(Path file, Map<String, Integer> regions) {
    TieredCluster.await(
        file + " in both regions",
        () -> FileRegions.of(cluster, file).stream().allMatch(regions::equals));
    TieredCluster.await("nothing to come", () -> async().fileCount() == 0);
    assertThat(async().bytes()).isZero();
    assertThat(async().oldestAgeSeconds()).isZero();
  }

  @Test
  void theSecondRegionComesAfterTheWriteAndTheWindowIsShown() throws IOException {
    Path directory =
        cluster.directory("/async", "layout:2 x any in region A + 1 x any in region B async");
    Path file = new Path(directory, "file");
    FSDataOutputStream out = open(file, 2, 3);
    TieredCluster.await("two blocks to come", () -> async().blockCount() == 2);
    cluster.awaitReplicas(file, 2);
    assertThat(FileRegions.of(cluster, file)).containsOnly(Map.of("A", 2));
    assertThat(async().fileCount()).isEqualTo(1);
    assertThat(async().bytes()).isEqualTo(2L * BLOCK);
    double age = async().oldestAgeSeconds();
    assertThat(age).isPositive();
    TieredCluster.await("a greater age", () -> async().oldestAgeSeconds() > age + 1);
    close(out);
    awaitWhole(file, Map.of("A", 2, "B", 1));
  }

  @Test
  void eachRegionAwareWriteBeginsInOneRegion() throws IOException {
    Path directory = cluster.directory("/aware", "region-aware:async");
    Path file = new Path(directory, "file");
    FSDataOutputStream out = open(file, 2, 3);
    TieredCluster.await("blocks to come", () -> async().blockCount() == 2);
    assertThat(FileRegions.of(cluster, file)).allSatisfy(regions -> assertThat(regions).hasSize(1));
    close(out);
    TieredCluster.await(
        "both regions",
        () -> FileRegions.of(cluster, file).stream().allMatch(regions -> regions.size() == 2));
    TieredCluster.await("nothing to come", () -> async().fileCount() == 0);
  }

  @Test
  void aNameNodeThatStartsFindsAgainWhatIsToCome() throws IOException {
    Path directory =
        cluster.directory("/again", "layout:1 x any in region B + 2 x any in region A async");
    Path file = new Path(directory, "file");
    FSDataOutputStream out = open(file, 1, 3);
    TieredCluster.await("a block to come", () -> async().blockCount() == 1);
    assertThat(async().bytes()).isEqualTo(2L * BLOCK);
    Outages.restartNameNodeThatCopiesNothing(cluster);
    TieredCluster.await("the block again", () -> async().blockCount() == 1);
    assertThat(async().bytes()).isEqualTo(2L * BLOCK);
    out.write(1);
    close(out);
    awaitWhole(file, Map.of("A", 2, "B", 1));
  }

  @Test
  void aWriteWithAsyncReplicasAloneWaitsForOne() throws IOException {
    Path directory =
        cluster.directory("/all", "layout:1 x any in region A async + 1 x any in region B async");
    Path file = new Path(directory, "file");
    FSDataOutputStream out = open(file, 1, 2);
    assertThat(FileRegions.of(cluster, file).get(0)).isEqualTo(Map.of("A", 1));
    close(out);
    awaitWhole(file, Map.of("A", 1, "B", 1));
  }
}
