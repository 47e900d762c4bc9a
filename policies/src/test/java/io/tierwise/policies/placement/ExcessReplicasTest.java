package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** All excess replicas in one answer: as good as one by one, and cheap. */
class ExcessReplicasTest {
  private static final List<String> POLICIES =
      List.of(
          "network-aware",
          "network-aware:tiers=disk",
          "tier-aware",
          "tier-aware:rack-safe=false",
          "hybrid",
          "hybrid:racks=3",
          "random",
          "random:rack-safe=false",
          "region-aware",
          "zone-ratio:0.4",
          "layout:3 x nvme",
          "layout:2 x nvme on different racks + 1 x disk",
          "layout:1 x nvme in region region1 + 1 x sata in region region0 + 1 x any",
          "layout:1 x any in region region2 + 2 x disk on the same rack");

  /** HDFS's own limit, dfs.replication.max. */
  private static final int REPLICAS_MAX = 512;

  /** Racks of unequal size in three regions, some nodes without the fast tiers. */
  private static ArrayClusterView cluster(SplittableRandom random, int nodes, int racks) {
    TierTable tiers = Clusters.threeTiers();
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    for (int i = 0; i < nodes; i++) {
      int rack = random.nextInt(racks);
      int node = builder.addNode("node" + i, "rack" + rack, "region" + rack % 3);
      builder.addVolume(node, 2, Clusters.FREE_BYTES);
      for (int tier = 0; tier < 2; tier++) {
        if (random.nextInt(3) > 0) {
          builder.addVolume(node, tier, Clusters.FREE_BYTES);
        }
      }
      if (random.nextInt(10) == 0) {
        builder.addVolume(node, TierTable.NONE, Clusters.FREE_BYTES);
      }
    }
    return builder.build();
  }

  /** Replicas anywhere; two on one node and one at an unknown place happen. */
  private static int[] replicas(SplittableRandom random, ClusterView view, int count) {
    List<Integer> volumes = new ArrayList<>();
    for (int left = count; left > 0; left--) {
      volumes.add(random.nextInt(12) == 0 ? ClusterView.NONE : random.nextInt(view.volumeCount()));
    }
    Set<Integer> seen = new HashSet<>();
    return volumes.stream()
        .filter(volume -> volume == ClusterView.NONE || seen.add(volume))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Property(tries = 3000)
  void allInOneAnswerAreThoseThatOneByOneWouldBeWithAMatchingMadeAnewForEach(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ClusterView view = cluster(random, random.nextInt(2, 10), random.nextInt(1, 5));
    SlotPlacement policy =
        (SlotPlacement)
            PlacementPolicies.parse(POLICIES.get(random.nextInt(POLICIES.size())), view.tiers());
    int[] volumes = replicas(random, view, random.nextInt(2, 9));
    int wanted = random.nextInt(1, volumes.length + 1);
    FileView file = new FileView(random.nextInt(100), random.nextInt(100));
    Wish[] wishes = policy.wishes(PlacementRequest.ofExisting(file, volumes), wanted, view);

    int[] dropped = policy.chooseExcess(volumes, file, wanted, view);

    boolean rackSafe = !policy.name().endsWith("rack-safe=false");
    int[] left = IntStream.range(0, volumes.length).toArray();
    for (int replica : dropped) {
      assertThat(replica)
          .as("%s of %s", policy, view.volumeCount())
          .isEqualTo(left[OneByOne.choose(of(volumes, left), wishes, rackSafe, view)]);
      left = IntStream.of(left).filter(kept -> kept != replica).toArray();
    }
    assertThat(left).hasSize(wanted);
  }

  private static int[] of(int[] volumes, int[] replicas) {
    return IntStream.of(replicas).map(replica -> volumes[replica]).toArray();
  }

  /** One drop at a time, each candidate judged by a matching found by trying everything. */
  private static final class OneByOne {
    static int choose(int[] volumes, Wish[] wishes, boolean rackSafe, ClusterView view) {
      int best = 0;
      List<Integer> bestLeft = null;
      for (int lost = 0; lost < volumes.length; lost++) {
        if (volumes[lost] != ClusterView.NONE) {
          List<Integer> left = left(lost, volumes, wishes, rackSafe, view);
          if (bestLeft == null || compare(left, bestLeft) >= 0) {
            best = lost;
            bestLeft = left;
          }
        }
      }
      return best;
    }

    private static int compare(List<Integer> a, List<Integer> b) {
      for (int i = 0; i < a.size(); i++) {
        if (!a.get(i).equals(b.get(i))) {
          return Integer.compare(a.get(i), b.get(i));
        }
      }
      return 0;
    }

    /** The block's worth without the replica, most important first. */
    private static List<Integer> left(
        int lost, int[] volumes, Wish[] wishes, boolean rackSafe, ClusterView view) {
      int[] others =
          IntStream.range(0, volumes.length)
              .filter(i -> i != lost && volumes[i] != ClusterView.NONE)
              .map(i -> volumes[i])
              .toArray();
      int tier = view.tierOfVolume(volumes[lost]);
      int nodes = count(IntStream.of(others).map(view::nodeOfVolume));
      int racks = count(IntStream.of(others).map(v -> view.rackOfNode(view.nodeOfVolume(v))));
      return List.of(
          nodes,
          rackSafe ? Math.min(racks, 2) : 0,
          fulfilled(others, 0, wishes, 0L, view),
          racks,
          IntStream.of(others).anyMatch(v -> view.tierOfVolume(v) == tier) ? 1 : 0,
          tier == TierTable.NONE ? Long.SIZE : tier);
    }

    private static int count(IntStream values) {
      return (int) values.distinct().count();
    }

    /** The most wishes that the replicas from {@code next} on fulfil, by trying all ways. */
    private static int fulfilled(
        int[] volumes, int next, Wish[] wishes, long used, ClusterView view) {
      if (next == volumes.length) {
        return Long.bitCount(used);
      }
      int best = fulfilled(volumes, next + 1, wishes, used, view);
      int tier = view.tierOfVolume(volumes[next]);
      int region = view.regionOfRack(view.rackOfNode(view.nodeOfVolume(volumes[next])));
      Set<Wish> tried = new HashSet<>();
      for (int wish = 0; wish < wishes.length; wish++) {
        if ((used >> wish & 1) == 0
            && tried.add(wishes[wish])
            && wishes[wish].acceptsTier(tier)
            && wishes[wish].acceptsRegion(region)) {
          best = Math.max(best, fulfilled(volumes, next + 1, wishes, used | 1L << wish, view));
        }
      }
      return best;
    }
  }

  /** A view that counts what it is asked. */
  private static final class Counting {
    private final ClusterView view;
    private long lookUps;

    Counting(ClusterView counted) {
      view =
          (ClusterView)
              Proxy.newProxyInstance(
                  ClusterView.class.getClassLoader(),
                  new Class<?>[] {ClusterView.class},
                  (self, method, args) -> {
                    lookUps++;
                    try {
                      return method.invoke(counted, args);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
    }
  }

  @Example
  void droppingAsksTheViewAtMostTwoHundredTimesAReplica() {
    SplittableRandom random = new SplittableRandom(1);
    ClusterView cluster = cluster(random, 600, 40);
    int[] volumes = new int[REPLICAS_MAX];
    for (int i = 0; i < volumes.length; i++) {
      int store = cluster.storeOfNode(i, random.nextInt(3));
      volumes[i] = cluster.volumeIn(store < 0 ? cluster.storeOfNode(i, 2) : store, 0, 0);
    }
    String parts = "1 x nvme in region region0 + 1 x sata in region region1 + 1 x disk + ";
    List<String> all = new ArrayList<>(POLICIES);
    all.add("layout:" + parts.repeat(5) + "100 x any in region region2");
    for (String specification : all) {
      PlacementPolicy policy = PlacementPolicies.parse(specification, cluster.tiers());
      for (int wanted : new int[] {1, 3, 200, REPLICAS_MAX - 1}) {
        Counting counting = new Counting(cluster);
        int[] dropped = policy.chooseExcess(volumes, new FileView(7, 0), wanted, counting.view);
        assertThat(dropped).hasSize(volumes.length - wanted);
        // Where few go, what is looked up once a replica counts: five times each of them.
        assertThat(counting.lookUps)
            .as("%s to %d", specification, wanted)
            .isPositive()
            .isLessThanOrEqualTo(Math.max(200L * dropped.length, 8L * volumes.length));
      }
    }
  }
}
