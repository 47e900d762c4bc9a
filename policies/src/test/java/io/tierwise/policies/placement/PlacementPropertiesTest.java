package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Every policy over random clusters: few and many nodes, racks, regions, empty and full cells. */
class PlacementPropertiesTest {
  private static final String[] TIER_NAMES = {"nvme", "sata", "sas", "disk"};
  private static final List<Avoid> AVOIDS = List.of(Avoid.values());
  private static final long BLOCK_BYTES = Clusters.BLOCK_BYTES;

  /** One random case: a cluster, a policy for it and a request to it. */
  private static final class Case {
    final SplittableRandom random;
    final ArrayClusterView view;
    final PlacementPolicy policy;
    final boolean rackSafe;
    final Set<Integer> excluded = new HashSet<>();
    final PlacementRequest request;

    Case(long seed, boolean newBlock) {
      random = new SplittableRandom(seed);
      TierTable tiers = Clusters.tiers(Arrays.copyOf(TIER_NAMES, random.nextInt(1, 5)));
      view = cluster(tiers);
      String specification = specification(tiers);
      policy = PlacementPolicies.parse(specification, tiers);
      rackSafe = !specification.endsWith("rack-safe=false");
      for (int node = 0; node < view.nodeCount(); node++) {
        if (random.nextInt(8) == 0) {
          excluded.add(node);
        }
      }
      request = request(newBlock ? new int[0] : existing());
    }

    private ArrayClusterView cluster(TierTable tiers) {
      ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
      int regions = random.nextInt(1, 4);
      int racksInRegion = random.nextInt(1, 7);
      int nodeCount = random.nextInt(4) == 0 ? 1 : random.nextInt(2, 25);
      int presence = random.nextInt(1, 5);
      for (int i = 0; i < nodeCount; i++) {
        String region = "region" + random.nextInt(regions);
        String rack = region + "/rack" + random.nextInt(racksInRegion);
        int node = builder.addNode("node" + i, rack, region);
        for (int tier = 0; tier < tiers.count(); tier++) {
          for (int left = random.nextInt(5) < presence ? random.nextInt(1, 3) : 0;
              left > 0;
              left--) {
            builder.addVolume(node, tier, BLOCK_BYTES + random.nextLong(-2, 5));
          }
        }
        if (random.nextInt(6) == 0) {
          builder.addVolume(node, TierTable.NONE, Clusters.FREE_BYTES);
        }
      }
      ArrayClusterView made = builder.build();
      Refusal[] refusals = Refusal.values();
      for (int node = 0; node < nodeCount; node++) {
        if (random.nextInt(5) == 0) {
          made.refuseNode(node, refusals[random.nextInt(refusals.length)]);
        }
      }
      return made;
    }

    private String specification(TierTable tiers) {
      String last = tiers.tier(tiers.count() - 1).name();
      List<String> all =
          new ArrayList<>(
              List.of(
                  "network-aware",
                  "network-aware:tiers=" + last,
                  "tier-aware",
                  "tier-aware:rack-safe=false",
                  "hybrid",
                  "hybrid:racks=3",
                  "random",
                  "random:rack-safe=false",
                  "region-aware",
                  "layout:2 x " + last + " on different racks + 1 x any in region region1",
                  "layout:3 x nvme on the same rack",
                  "layout:1 x nvme on the writer's node + 1 x " + last + " in region 0"));
      if (tiers.count() > 1) {
        all.add("zone-ratio:0.4");
      }
      return all.get(random.nextInt(all.size()));
    }

    private int[] existing() {
      List<Integer> volumes = new ArrayList<>();
      Set<Integer> nodes = new HashSet<>();
      for (int left = random.nextInt(1, 4); left > 0; left--) {
        if (random.nextInt(8) == 0 || view.volumeCount() == 0) {
          volumes.add(ClusterView.NONE);
        } else {
          int volume = random.nextInt(view.volumeCount());
          if (nodes.add(view.nodeOfVolume(volume))) {
            volumes.add(volume);
          }
        }
      }
      return volumes.stream().mapToInt(Integer::intValue).toArray();
    }

    private PlacementRequest request(int[] existing) {
      int writer = random.nextInt(-1, view.nodeCount());
      boolean knowsRack = writer == ClusterView.NONE && random.nextBoolean();
      return new PlacementRequest(
          new FileView(random.nextInt(100), random.nextInt(100)),
          BLOCK_BYTES,
          random.nextInt(0, 7),
          writer,
          knowsRack ? random.nextInt(view.rackCount()) : ClusterView.NONE,
          existing,
          excluded::contains,
          AVOIDS.get(random.nextInt(AVOIDS.size())));
    }

    Place decide(long seed) {
      return policy.place(request, view, new SplittableRandom(seed));
    }

    /** Nodes that could take a replica: what no policy may fail to find. */
    Set<Integer> usableNodes() {
      Set<Integer> usable = new HashSet<>();
      for (int volume = 0; volume < view.volumeCount(); volume++) {
        if (view.tierOfVolume(volume) != TierTable.NONE && view.takes(volume, BLOCK_BYTES)) {
          usable.add(view.nodeOfVolume(volume));
        }
      }
      usable.removeAll(excluded);
      for (int volume : request.existingVolumes()) {
        if (volume != ClusterView.NONE) {
          usable.remove(view.nodeOfVolume(volume));
        }
      }
      return usable;
    }

    long racksOf(Set<Integer> nodes) {
      return nodes.stream().map(view::rackOfNode).distinct().count();
    }
  }

  @Property(tries = 4000)
  void everyReplicaThatAnyVolumeCouldTakeIsPlacedOnceANode(@ForAll long seed) {
    for (boolean newBlock : new boolean[] {true, false}) {
      Case c = new Case(seed, newBlock);
      Set<Integer> usable = c.usableNodes();
      int[] chosen = Clusters.volumes(c.decide(seed));
      assertThat(chosen)
          .as(c.policy.name())
          .hasSize(Math.min(c.request.replicaCount(), usable.size()));
      assertThat(Arrays.stream(chosen)).allMatch(volume -> c.view.takes(volume, BLOCK_BYTES));
      assertThat(Arrays.stream(chosen).map(c.view::nodeOfVolume).boxed().toList())
          .as(c.policy.name())
          .doesNotHaveDuplicates()
          .allMatch(usable::contains);
    }
  }

  @Property(tries = 2000)
  void sameSeedSameDecision(@ForAll long seed) {
    Case c = new Case(seed, false);
    assertThat(c.decide(seed)).isEqualTo(c.decide(seed));
  }

  @Property(tries = 2000)
  void moreRoomNeverGivesFewerReplicas(@ForAll long seed) {
    Case c = new Case(seed, false);
    int before = c.decide(seed).choices().size();
    for (int volume = 0; volume < c.view.volumeCount(); volume++) {
      if (c.random.nextBoolean()) {
        c.view.setFreeBytes(volume, Clusters.FREE_BYTES);
      }
    }
    assertThat(c.decide(seed).choices()).hasSizeGreaterThanOrEqualTo(before);
  }

  @Property(tries = 4000)
  void aNewBlockStandsInTwoRacksWhenTwoRacksCanTakeIt(@ForAll long seed) {
    Case c = new Case(seed, true);
    List<Integer> racks = Clusters.racksOf(c.decide(seed), c.view);
    if (c.rackSafe && racks.size() > 1 && c.racksOf(c.usableNodes()) > 1) {
      assertThat(racks.stream().distinct().count()).as(c.policy.name()).isGreaterThan(1);
    }
  }

  @Property(tries = 4000)
  void noRackHoldsMoreThanItsShareUnlessTheDecisionSaysSo(@ForAll long seed) {
    Case c = new Case(seed, true);
    Place decision = c.decide(seed);
    boolean said =
        decision.choices().stream().anyMatch(choice -> choice.given() == GivenUp.RACK_LIMIT);
    if (c.rackSafe && !said) {
      int limit = RackLimit.of(c.request.replicaCount(), c.view.nodeCount(), c.view.rackCount());
      List<Integer> racks = Clusters.racksOf(decision, c.view);
      assertThat(racks).allMatch(rack -> racks.stream().filter(rack::equals).count() <= limit);
    }
  }

  @Property(tries = 2000)
  void whatADecisionSaysItGotIsWhatItGot(@ForAll long seed) {
    Case c = new Case(seed, true);
    for (Place.Choice choice : c.decide(seed).choices()) {
      int tier = c.view.tierOfVolume(choice.volume());
      int region = c.view.regionOfRack(c.view.rackOfNode(c.view.nodeOfVolume(choice.volume())));
      boolean tierAsWanted = Wish.of(choice.wanted()).acceptsTier(tier);
      boolean regionAsWanted = Wish.of(choice.wanted()).acceptsRegion(region);
      switch (choice.given()) {
        case NOTHING, SPREAD -> assertThat(tierAsWanted && regionAsWanted).isTrue();
        case TIER, TIER_AND_SPREAD -> assertThat(regionAsWanted).isTrue();
        case REGION -> assertThat(regionAsWanted).isFalse();
        case RACK_LIMIT -> assertThat(c.rackSafe).isTrue();
      }
    }
  }

  @Property(tries = 3000)
  void excessReplicasNeverCostTheSecondRack(@ForAll long seed) {
    Case c = new Case(seed, true);
    int[] volumes = Clusters.volumes(c.decide(seed));
    if (volumes.length < 3) {
      return;
    }
    int wanted = c.random.nextInt(2, volumes.length);
    int[] excess = c.policy.chooseExcess(volumes, c.request.file(), wanted, c.view);
    assertThat(excess).hasSize(volumes.length - wanted).doesNotHaveDuplicates();
    Set<Integer> before = new HashSet<>();
    Set<Integer> after = new HashSet<>();
    for (int i = 0; i < volumes.length; i++) {
      int rack = c.view.rackOfNode(c.view.nodeOfVolume(volumes[i]));
      before.add(rack);
      int replica = i;
      if (Arrays.stream(excess).noneMatch(dropped -> dropped == replica)) {
        after.add(rack);
      }
    }
    if (c.rackSafe && before.size() > 1) {
      assertThat(after).as(c.policy.name()).hasSizeGreaterThan(1);
    }
  }

  @Property(tries = 1000)
  void aTierThatALayoutNamesHoldsEveryBlockWhileItHasRoom(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TierTable tiers = Clusters.tiers(Arrays.copyOf(TIER_NAMES, random.nextInt(1, 5)));
    ArrayClusterView view =
        Clusters.uniform(tiers, random.nextInt(1, 4), random.nextInt(2, 4), random.nextInt(3, 6));
    String first = tiers.tier(random.nextInt(tiers.count())).name();
    String second = tiers.tier(random.nextInt(tiers.count())).name();
    PlacementPolicy policy = LayoutPlacement.of("2 x " + first + " + 1 x " + second, tiers);
    int firstTier = tiers.require(first).index();
    int secondTier = tiers.require(second).index();
    for (int block = 0; block < 20; block++) {
      FileView file = new FileView(1, block);
      PlacementRequest request =
          new PlacementRequest(
              file,
              BLOCK_BYTES,
              3,
              random.nextInt(view.nodeCount()),
              ClusterView.NONE,
              new int[0],
              NodeSet.EMPTY,
              Avoid.NOTHING);
      assertThat(Clusters.tiersOf(policy.place(request, view, random), view))
          .containsExactly(firstTier, firstTier, secondTier);
    }
  }
}
