package io.tierwise.benchmarks.placement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;

/**
 * Times what a NameNode does under its write lock when a managed file's replication falls from 512,
 * HDFS's limit, to 3: one block, 509 replicas to choose, by the hook that the block manager calls
 * and with the look-up of the block's file before it.
 */
final class ExcessBenchmark {
  private static final int REPLICAS = 512;
  private static final int KEPT = 3;
  private static final int WARM_UPS = 3_000;
  private static final int ROUNDS = 301;
  private static final List<String> POLICIES =
      List.of(
          "network-aware",
          "tier-aware",
          "hybrid",
          "region-aware",
          "zone-ratio:0.5",
          "layout:2 x ssd on different racks + 1 x disk");

  private ExcessBenchmark() {}

  /** Of the policies' median times the longest. */
  static double slowestMedianMicros() throws IOException {
    try (BenchCluster cluster = new BenchCluster(TreeShape.GROUPED)) {
      cluster.growTo(REPLICAS);
      cluster.awaitView();
      List<DatanodeStorageInfo> replicas = oneOnEachNode(cluster);
      double slowest = 0;
      for (String policy : POLICIES) {
        long file = cluster.idOf(cluster.managedFile("excess-" + policy.hashCode(), policy));
        slowest = Math.max(slowest, medianMicros(cluster, policy, file, replicas));
      }
      return slowest;
    }
  }

  private static List<DatanodeStorageInfo> oneOnEachNode(BenchCluster cluster) {
    Random random = new Random(1);
    List<DatanodeStorageInfo> replicas = new ArrayList<>();
    for (int node = 0; node < REPLICAS; node++) {
      DatanodeStorageInfo[] volumes = cluster.node(node).getStorageInfos();
      replicas.add(volumes[random.nextInt(volumes.length)]);
    }
    return replicas;
  }

  private static double medianMicros(
      BenchCluster cluster, String policy, long file, List<DatanodeStorageInfo> replicas) {
    BlockPlacementPolicy hook = cluster.tierwise();
    Namesystem asked = cluster.namesystemOfBlocks();
    DatanodeDescriptor hint = replicas.get(0).getDatanodeDescriptor();
    double[] micros = new double[ROUNDS];
    long dropped = 0;
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      long start = System.nanoTime();
      asked.getBlockCollection(file);
      dropped +=
          hook.chooseReplicasToDelete(replicas, replicas, KEPT, List.of(), null, hint).size();
      if (round >= 0) {
        micros[round] = (System.nanoTime() - start) / 1e3;
      }
    }
    if (dropped != (long) (WARM_UPS + ROUNDS) * (REPLICAS - KEPT)) {
      throw new IllegalStateException(policy + " dropped " + dropped + " replicas");
    }
    Arrays.sort(micros);
    return micros[ROUNDS / 2];
  }
}
