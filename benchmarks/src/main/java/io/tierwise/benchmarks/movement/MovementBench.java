package io.tierwise.benchmarks.movement;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.IdHash;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.movement.EngineRules;
import io.tierwise.policies.movement.LayoutMovement;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.policies.movement.MovementRequest;
import io.tierwise.policies.movement.MovementState;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Plans a million blocks of three replicas on 1,000 nodes in 50 racks, as a stream: a block after
 * the other, none kept. Prints a table and, as its last line, one JSON object.
 */
public final class MovementBench {
  private static final int BLOCKS = 1_000_000;
  private static final int NODES = 1_000;
  private static final int RACKS = 50;
  private static final int ROUNDS = 5;
  private static final long BLOCK_BYTES = 128L << 20;
  private static final TierTable TIERS =
      TierTable.of(
          List.of(
              new DeviceClass("ssd", 500e6, 400e6, Double.NaN, 0, Double.NaN),
              new DeviceClass("disk", 150e6, 100e6, Double.NaN, 0, Double.NaN)));

  private MovementBench() {}

  /**
   * A case.
   *
   * @param mixed whether each node has both tiers, so that moves stay inside nodes
   * @param ssdBytes free on each SSD
   */
  private record Case(String name, boolean mixed, String layout, long ssdBytes) {}

  public static void main(String[] args) {
    List<Case> cases =
        List.of(
            new Case("inside nodes", true, "layout:3 x ssd", Long.MAX_VALUE / 4),
            new Case("to other nodes", false, "layout:3 x ssd", Long.MAX_VALUE / 4),
            new Case("a full tier", false, "layout:3 x ssd", 0),
            new Case("as wanted", true, "layout:3 x disk", Long.MAX_VALUE / 4));
    double worst = 0;
    System.out.printf("%-16s %10s %12s %12s%n", "case", "seconds", "moves", "unmoved");
    for (Case one : cases) {
      double[] seconds = new double[ROUNDS];
      long[] counts = new long[2];
      for (int round = 0; round < ROUNDS; round++) {
        long start = System.nanoTime();
        counts = plan(one);
        seconds[round] = (System.nanoTime() - start) / 1e9;
      }
      Arrays.sort(seconds);
      worst = Math.max(worst, seconds[ROUNDS / 2]);
      System.out.printf(
          Locale.ROOT,
          "%-16s %10.2f %,12d %,12d   (%.2f to %.2f)%n",
          one.name(),
          seconds[ROUNDS / 2],
          counts[0],
          counts[1],
          seconds[0],
          seconds[ROUNDS - 1]);
    }
    System.out.printf(
        Locale.ROOT,
        "{\"plan_million_blocks_seconds\": %.2f, \"heap_max_bytes\": %d}%n",
        worst,
        Runtime.getRuntime().maxMemory());
  }

  private static long[] plan(Case one) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    // Every second node holds the disks where nodes have one tier only.
    int[] disks = new int[one.mixed() ? NODES : NODES / 2];
    for (int i = 0; i < NODES; i++) {
      int node = builder.addNode("node" + i, "rack" + i % RACKS, "region");
      if (one.mixed() || i / RACKS % 2 == 0) {
        builder.addVolume(node, 0, one.ssdBytes());
      }
      if (one.mixed() || i / RACKS % 2 == 1) {
        disks[one.mixed() ? i : i / (2 * RACKS) * RACKS + i % RACKS] =
            builder.addVolume(node, 1, Long.MAX_VALUE / 4);
      }
    }
    ArrayClusterView view = builder.build();
    MovementState state = new MovementState(view);
    LayoutMovement movement = new LayoutMovement();
    PlacementPolicy wanted = PlacementPolicies.parse(one.layout(), TIERS);
    long[] counts = new long[2];
    for (int block = 0; block < BLOCKS; block++) {
      int first = (int) Long.remainderUnsigned(IdHash.mix(block), disks.length);
      int[] volumes = {
        disks[first], disks[(first + 7) % disks.length], disks[(first + 8) % disks.length]
      };
      MovementPlan plan =
          movement.plan(
              new MovementRequest(
                  wanted,
                  new FileView(block / 100, block % 100, 3),
                  BLOCK_BYTES,
                  volumes,
                  new EngineRules.Obedient()),
              state);
      counts[0] += plan.moves().size();
      counts[1] += plan.unmoved().size();
    }
    return counts;
  }
}
