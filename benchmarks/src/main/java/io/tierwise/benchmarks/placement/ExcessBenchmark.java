package io.tierwise.benchmarks.placement;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Times what a file's policy does under the NameNode's write lock when the file's replication falls
 * from 512, HDFS's limit, to 3: one block, 509 replicas to choose.
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
          "layout:2 x nvme on different racks + 1 x disk");

  private ExcessBenchmark() {}

  /** Of the policies' median times the longest. */
  static double slowestMedianMicros() {
    TierTable tiers =
        TierTable.of(Stream.of("nvme", "sata", "disk").map(DeviceClass::unmeasured).toList());
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < REPLICAS; i++) {
      int rack = i % 40;
      int node = builder.addNode("node" + i, "rack" + rack, "region" + rack % 4);
      builder.addVolume(node, random.nextInt(3), 1L << 40);
    }
    ArrayClusterView view = builder.build();
    int[] volumes = new int[REPLICAS];
    Arrays.setAll(volumes, volume -> volume);
    double slowest = 0;
    for (String specification : POLICIES) {
      PlacementPolicy policy = PlacementPolicies.parse(specification, tiers);
      slowest = Math.max(slowest, medianMicros(policy, volumes, view));
    }
    return slowest;
  }

  private static double medianMicros(PlacementPolicy policy, int[] volumes, ArrayClusterView view) {
    FileView file = new FileView(1, 0);
    double[] micros = new double[ROUNDS];
    long dropped = 0;
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      long start = System.nanoTime();
      dropped += policy.chooseExcess(volumes, file, KEPT, view).length;
      if (round >= 0) {
        micros[round] = (System.nanoTime() - start) / 1e3;
      }
    }
    if (dropped != (long) (WARM_UPS + ROUNDS) * (REPLICAS - KEPT)) {
      throw new IllegalStateException(policy.name() + " dropped " + dropped + " replicas");
    }
    Arrays.sort(micros);
    return micros[ROUNDS / 2];
  }
}
