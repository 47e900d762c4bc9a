package io.tierwise.benchmarks.placement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;

/**
 * Times what a NameNode does under its write lock when a managed file's replication falls from 512,
 * HDFS's limit, to 3: one block, 509 replicas to choose, by the hook that the block manager calls
 * and with the look-up of the block's file before it.
 *
 * <p>All policies take turns in short passes. The compiler works beside the passes, and makes the
 * code anew when a policy takes a branch that none took before it; so the first passes tell how far
 * it has come, not what a choice costs. A fixed number of them is left out.
 */
final class ExcessBenchmark {
  private static final int REPLICAS = 512;
  private static final int KEPT = 3;
  // Three JVMs were steady after six passes, at less than half of what the first took.
  private static final int WARM_UP_PASSES = 20;
  private static final int PASSES = 20;
  private static final int ROUNDS = 301;
  private static final List<String> POLICIES =
      List.of(
          "network-aware",
          "tier-aware",
          "hybrid",
          "region-aware",
          "zone-ratio:0.5",
          "layout:2 x ssd on different racks + 1 x disk");

  private final BenchCluster cluster;
  private final List<DatanodeStorageInfo> replicas;

  private ExcessBenchmark(BenchCluster cluster) {
    this.cluster = cluster;
    replicas = oneOnEachNode(cluster);
  }

  /**
   * Of the slowest policy the median over all passes, with the medians of its fastest and slowest
   * pass, in microseconds; and the longest choice of a policy's first.
   */
  record Times(String policy, double micros, double least, double most, double first) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "512 replicas become 3: %.0f microseconds under %s (passes: %.0f to %.0f); the longest first choice %.0f",
          micros,
          policy,
          least,
          most,
          first);
    }
  }

  static Times measure() throws IOException {
    try (BenchCluster cluster = new BenchCluster(TreeShape.GROUPED)) {
      cluster.growTo(REPLICAS);
      cluster.awaitView();
      return new ExcessBenchmark(cluster).timesOfSlowest();
    }
  }

  private Times timesOfSlowest() throws IOException {
    long[] files = new long[POLICIES.size()];
    double first = 0;
    for (int policy = 0; policy < files.length; policy++) {
      files[policy] = cluster.idOf(cluster.managedFile("excess-" + policy, POLICIES.get(policy)));
      first = Math.max(first, micros(files[policy], 1)[0]);
    }
    double[][] medians = new double[files.length][PASSES];
    for (int pass = -WARM_UP_PASSES; pass < PASSES; pass++) {
      for (int policy = 0; policy < files.length; policy++) {
        double median = median(micros(files[policy], ROUNDS));
        if (pass >= 0) {
          medians[policy][pass] = median;
        }
      }
    }
    Times slowest = null;
    for (int policy = 0; policy < files.length; policy++) {
      double[] passes = medians[policy];
      double median = median(passes);
      if (slowest == null || median > slowest.micros) {
        slowest = new Times(POLICIES.get(policy), median, passes[0], passes[PASSES - 1], first);
      }
    }
    return slowest;
  }

  private double[] micros(long file, int rounds) {
    BlockPlacementPolicy hook = cluster.tierwise();
    Namesystem asked = cluster.namesystemOfBlocks();
    DatanodeDescriptor hint = replicas.get(0).getDatanodeDescriptor();
    double[] micros = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      asked.getBlockCollection(file);
      int dropped =
          hook.chooseReplicasToDelete(replicas, replicas, KEPT, List.of(), null, hint).size();
      micros[round] = (System.nanoTime() - start) / 1e3;
      if (dropped != REPLICAS - KEPT) {
        throw new IllegalStateException("dropped " + dropped + " replicas of file " + file);
      }
    }
    return micros;
  }

  /** Sorts its argument. */
  private static double median(double[] figures) {
    Arrays.sort(figures);
    return figures[figures.length / 2];
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
}
