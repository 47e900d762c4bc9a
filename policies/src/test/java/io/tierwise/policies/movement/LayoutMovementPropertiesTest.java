package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.placement.LayoutFit;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The promises of movement over random clusters, layouts and blocks. */
class LayoutMovementPropertiesTest {
  private static final long BLOCK_BYTES = 100;
  private static final String[] TIER_NAMES = {"nvme", "sata", "disk"};
  private static final List<String> POLICIES =
      List.of(
          "layout:1 x nvme + 2 x disk",
          "layout:3 x nvme",
          "layout:2 x nvme on different racks + 1 x disk",
          "layout:3 x sata on different racks",
          "layout:1 x any in region region1 + 2 x disk",
          "layout:1 x nvme in region region0 + 1 x any",
          "hybrid",
          "hybrid:racks=3",
          "tier-aware",
          "network-aware:tiers=disk",
          "random:rack-safe=false",
          "zone-ratio:nvme=0.5,sata+disk=0.5");

  /** One random case. */
  private static final class Case {
    final ArrayClusterView view;
    final PlacementPolicy policy;
    final List<MovementRequest> blocks = new ArrayList<>();
    final Set<Long> forbidden = new HashSet<>();

    Case(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      TierTable tiers =
          TierTable.of(Arrays.stream(TIER_NAMES).map(DeviceClass::unmeasured).toList());
      ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
      int nodes = random.nextInt(3, 20);
      int racks = random.nextInt(1, 6);
      for (int i = 0; i < nodes; i++) {
        int rack = random.nextInt(racks);
        String region = "region" + rack % 2;
        int node = builder.addNode("node" + i, region + "/rack" + rack, region);
        for (int left = random.nextInt(1, 4); left > 0; left--) {
          int tier = random.nextInt(8) == 0 ? TierTable.NONE : random.nextInt(tiers.count());
          builder.addVolume(node, tier, random.nextLong(6 * BLOCK_BYTES));
        }
      }
      view = builder.build();
      for (int node = 0; node < nodes; node++) {
        if (random.nextInt(6) == 0) {
          view.refuseNode(node, Refusal.STALE);
        }
      }
      policy = PlacementPolicies.parse(POLICIES.get(random.nextInt(POLICIES.size())), tiers);
      for (int volume = 0; volume < view.volumeCount(); volume++) {
        for (int other = 0; other < view.volumeCount(); other++) {
          if (random.nextInt(5) == 0) {
            forbidden.add((long) volume << 32 | other);
          }
        }
      }
      for (int i = 0; i < 12; i++) {
        blocks.add(block(random, i));
      }
    }

    private MovementRequest block(SplittableRandom random, int index) {
      List<Integer> volumes = new ArrayList<>();
      Set<Integer> nodes = new HashSet<>();
      int replicas = random.nextInt(1, 5);
      for (int tries = 0; tries < 30 && volumes.size() < replicas; tries++) {
        int volume = random.nextInt(view.volumeCount());
        if (nodes.add(view.nodeOfVolume(volume))) {
          volumes.add(random.nextInt(12) == 0 ? ClusterView.NONE : volume);
        }
      }
      int[] ids = volumes.stream().distinct().mapToInt(v -> v).toArray();
      EngineRules rules =
          new EngineRules() {
            @Override
            public boolean movesInside(int from, int to) {
              return !forbidden.contains((long) from << 32 | to);
            }

            @Override
            public boolean keepsCopy(int from, int to) {
              return !forbidden.contains((long) from << 32 | to);
            }
          };
      return new MovementRequest(
          policy, new FileView(index / 4, index % 4, ids.length), BLOCK_BYTES, ids, rules);
    }

    List<MovementPlan> plan() {
      MovementState state = new MovementState(view);
      LayoutMovement movement = new LayoutMovement();
      return blocks.stream().map(block -> movement.plan(block, state)).toList();
    }

    LayoutFit fit(MovementRequest block, int[] volumes) {
      return policy.fit(block.file(), volumes, volumes.length, view).orElseThrow();
    }
  }

  private static int open(LayoutFit fit) {
    return fit.openWishes().length;
  }

  private static long racks(int[] volumes, ClusterView view) {
    return known(volumes).map(v -> view.rackOfNode(view.nodeOfVolume(v))).distinct().count();
  }

  private static IntStream known(int[] volumes) {
    return Arrays.stream(volumes).filter(volume -> volume != ClusterView.NONE);
  }

  @Property(tries = 3000)
  void eachMoveKeepsWhatTheBlockHas(@ForAll long seed) {
    Case made = new Case(seed);
    List<MovementPlan> plans = made.plan();
    for (int i = 0; i < plans.size(); i++) {
      MovementRequest block = made.blocks.get(i);
      int[] volumes = block.volumes().clone();
      int moveCount = 0;
      boolean across = false;
      for (Move move : plans.get(i).moves()) {
        int[] before = volumes.clone();
        int at = indexOf(volumes, move.from());
        LayoutFit fitBefore = made.fit(block, before);
        assertThat(at).as("a replica goes").isNotNegative();
        assertThat(indexOf(volumes, move.source())).as("read from a replica").isNotNegative();
        volumes[at] = move.to();

        boolean inside = move.insideNode(made.view);
        assertThat(across && inside).as("inside comes first").isFalse();
        across |= !inside;
        assertThat(known(volumes).map(made.view::nodeOfVolume).distinct().count())
            .as("one replica a node")
            .isEqualTo(known(volumes).count());
        assertThat(open(made.fit(block, volumes)))
            .as("one part of the layout less is missing")
            .isLessThan(open(fitBefore));
        assertThat(racks(volumes, made.view))
            .isGreaterThanOrEqualTo(
                Math.min(racks(before, made.view), fitBefore.racksNeeded(made.view)));
        assertThat(made.forbidden).doesNotContain((long) move.from() << 32 | move.to());
        moveCount++;
      }
      assertThat(moveCount + plans.get(i).unmoved().size())
          .as("every replica that fits nowhere is moved or told")
          .isEqualTo(misfits(made, block));
    }
  }

  @Property(tries = 1000)
  void noVolumeGetsMoreThanItHasRoomFor(@ForAll long seed) {
    Case made = new Case(seed);
    long[] free = new long[made.view.volumeCount()];
    Arrays.setAll(free, made.view::freeBytes);

    for (MovementPlan plan : made.plan()) {
      for (Move move : plan.moves()) {
        free[move.to()] -= BLOCK_BYTES;
        assertThat(free[move.to()]).isNotNegative();
        assertThat(made.view.check(storeOf(move.to(), made.view), 0)).isEqualTo(Refusal.NONE);
      }
    }
    for (int volume = 0; volume < free.length; volume++) {
      assertThat(made.view.freeBytes(volume)).isEqualTo(free[volume]);
    }
  }

  @Property(tries = 300)
  void sameViewSamePlan(@ForAll long seed) {
    assertThat(new Case(seed).plan()).isEqualTo(new Case(seed).plan());
  }

  @Property(tries = 500)
  void aPlanThatWasCarriedOutLeavesOnlyWhatItSaidCannotMove(@ForAll long seed) {
    Case made = new Case(seed);
    MovementState state = new MovementState(made.view);
    LayoutMovement movement = new LayoutMovement();
    for (MovementRequest block : made.blocks) {
      MovementPlan plan = movement.plan(block, state);
      int[] volumes = block.volumes().clone();
      plan.moves().forEach(move -> volumes[indexOf(volumes, move.from())] = move.to());
      LayoutFit after = made.fit(block, volumes);
      long misfits = 0;
      for (int replica = 0; replica < volumes.length; replica++) {
        misfits += after.fits(replica) ? 0 : 1;
      }
      assertThat(misfits).isEqualTo(plan.unmoved().size());
    }
  }

  private static int misfits(Case made, MovementRequest block) {
    LayoutFit fit = made.fit(block, block.volumes());
    int misfits = 0;
    for (int replica = 0; replica < block.volumes().length; replica++) {
      misfits += fit.fits(replica) ? 0 : 1;
    }
    return misfits;
  }

  private static int storeOf(int volume, ClusterView view) {
    return view.storeOfNode(view.nodeOfVolume(volume), view.tierOfVolume(volume));
  }

  private static int indexOf(int[] volumes, int volume) {
    for (int i = 0; i < volumes.length; i++) {
      if (volumes[i] == volume) {
        return i;
      }
    }
    return -1;
  }
}
