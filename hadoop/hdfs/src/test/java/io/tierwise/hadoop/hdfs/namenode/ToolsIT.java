package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mover, Balancer and fsck on managed and unmanaged paths: see docs/reference/hdfs-tools.md. */
class ToolsIT {
  private static final int BLOCKS = 4;
  private static final String LAYOUT = "fast middle slow";
  private static final long[] VOLUME_BYTES = {
    12L * TieredCluster.BLOCK_BYTES,
    40L * TieredCluster.BLOCK_BYTES,
    12L * TieredCluster.BLOCK_BYTES
  };

  private TieredCluster cluster;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    HadoopTools.hurry(conf);
    String[] racks = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"};
    StorageType[][] types = new StorageType[racks.length][];
    long[][] capacities = new long[racks.length][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE});
    Arrays.fill(capacities, VOLUME_BYTES);
    cluster = TieredCluster.start(conf, racks, types, capacities);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private Configuration conf() throws IOException {
    return new Configuration(cluster.files().getConf());
  }

  @Tag("long")
  @Test
  void moverBringsUnmanagedFilesToTheirStoragePolicyAndLeavesAManagedOneThatAgrees()
      throws Exception {
    Path unmanaged = cluster.write(new Path(cluster.directory("/plain", null), "f"), BLOCKS, 3);
    cluster.files().setStoragePolicy(unmanaged, "COLD");
    Path agreeing =
        cluster.write(
            new Path(cluster.directory("/agree", "layout:1 x fast + 2 x middle"), "f"), BLOCKS, 3);
    cluster.files().setStoragePolicy(agreeing, "ONE_SSD");
    int code = ToolRunner.run(conf(), new Mover.Cli(), new String[] {"-p", "/plain", "/agree"});
    assertThat(code).isZero();
    TieredCluster.await(
        "all on the archive tier",
        () -> cluster.tiersOfBlocks(unmanaged).stream().allMatch("slow slow slow"::equals));
    assertThat(cluster.tiersOfBlocks(agreeing)).containsOnly("fast middle middle");
    cluster.assertWhole(unmanaged, BLOCKS);
    cluster.assertWhole(agreeing, BLOCKS);
  }

  @Test
  void moverObeysTheStoragePolicyOfAManagedFileThatDisagreesAndLosesItsTiersButNoData()
      throws Exception {
    Path file = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), BLOCKS, 3);
    assertThat(ToolRunner.run(conf(), new Mover.Cli(), new String[] {"-p", "/managed"})).isZero();
    // The Mover ends before the last node has told of the replica that it got.
    TieredCluster.await(
        "all on the middle tier",
        () -> cluster.tiersOfBlocks(file).stream().allMatch("middle middle middle"::equals));
    cluster.assertWhole(file, BLOCKS);
  }

  /** Long: ToolsByPlaceIT has a Balancer in make test. */
  @Tag("long")
  @Test
  void balancerMovesReplicasOfManagedFilesWithinTheirTiers() throws Exception {
    int blocks = 30;
    Path managed = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), blocks, 3);
    Path plain = cluster.write(new Path(cluster.directory("/plain", null), "f"), blocks, 3);
    String empty = cluster.addNode("/r1", VOLUME_BYTES);
    Tool balancer = HadoopTools.balancer();
    int code = ToolRunner.run(conf(), balancer, new String[] {"-threshold", "15"});
    assertThat(code).isZero();
    cluster.awaitReplicas(managed, 3);
    cluster.awaitReplicas(plain, 3);
    assertThat(cluster.tiersOfBlocks(managed)).containsOnly(LAYOUT);
    assertThat(cluster.tiersOfBlocks(plain)).containsOnly("middle middle middle");
    assertThat(cluster.blocks(managed)).anyMatch(block -> isOn(empty, block));
    cluster.assertWhole(managed, blocks);
    cluster.assertWhole(plain, blocks);
    // So the monitor has nothing to repair, and does not fight the Balancer.
    long walks = cluster.monitor().walks();
    cluster.monitor().walkNow();
    TieredCluster.await("a walk", () -> cluster.monitor().walks() > walks);
    assertThat(cluster.monitor().backlog().lastWalk().blocks()).isPositive();
    assertThat(cluster.monitor().backlog().queueSize()).isZero();
  }

  private static boolean isOn(String uuid, LocatedBlock block) {
    return Arrays.stream(block.getLocations()).anyMatch(n -> n.getDatanodeUuid().equals(uuid));
  }

  @Test
  void fsckFindsNothingWrongWithManagedFiles() throws Exception {
    cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), BLOCKS, 3);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int code =
        ToolRunner.run(
            new DFSck(conf(), new PrintStream(printed, true, StandardCharsets.UTF_8)),
            new String[] {"/managed", "-files", "-blocks", "-locations"});
    assertThat(code).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("is HEALTHY")
        .contains("Mis-replicated blocks:\t\t0")
        .doesNotContain("Replica placement policy is violated");
  }
}
