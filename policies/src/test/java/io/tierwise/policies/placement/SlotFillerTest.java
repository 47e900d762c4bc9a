package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.placement.PlacementRequest.Allowance;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine by itself: what is given up in which order, how it draws, and what that costs. */
class SlotFillerTest {
  private static final FileView FILE = new FileView(1, 0);

  @ParameterizedTest
  @CsvSource({
    "1,9,3,2147483647",
    "2,9,3,1",
    "3,9,3,2",
    "3,9,2,2",
    "3,9,1,2147483647",
    "10,9,3,4",
    "4,9,2,3",
    "5,3,2,2",
    "6,9,6,2"
  })
  void rackLimitIsThatOfHdfs(int replicas, int nodes, int racks, int limit) {
    assertThat(RackLimit.of(replicas, nodes, racks)).isEqualTo(limit);
  }

  /** One volume left in each step, ever farther from the wish. */
  @Test
  void givesUpPlaceThenTierThenRegionThenTheRackLimit() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    int existing = Clusters.volume(view, 0, 0, 0);
    int existingToo = Clusters.volume(view, 1, 0, 1);
    int asWanted = Clusters.volume(view, 0, 1, 0);
    int fallback = Clusters.volume(view, 1, 1, 0);
    int elsewhere = Clusters.volume(view, 0, 2, 0);
    int fullRack = Clusters.volume(view, 0, 0, 2);
    PlacementPolicy policy =
        LayoutPlacement.of("3 x nvme on different racks in region 0", threeTiers());
    PlacementRequest request = request(FILE, 1, ClusterView.NONE, existing, existingToo);
    assertOnly(view, policy, request, GivenUp.NOTHING, asWanted, fallback, elsewhere, fullRack);
    assertOnly(view, policy, request, GivenUp.TIER, fallback, elsewhere, fullRack);
    assertOnly(view, policy, request, GivenUp.REGION, elsewhere, fullRack);
    assertOnly(view, policy, request, GivenUp.RACK_LIMIT, fullRack);
  }

  @Test
  void givesUpThePlaceBeforeTheTier() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 4, 3);
    int[] existing = {Clusters.volume(view, 2, 0, 0), Clusters.volume(view, 2, 1, 0)};
    int sameTier = Clusters.volume(view, 0, 0, 1);
    int samePlace = Clusters.volume(view, 1, 3, 0);
    int neither = Clusters.volume(view, 1, 1, 2);
    PlacementPolicy policy =
        LayoutPlacement.of("2 x disk + 1 x nvme on different racks", threeTiers());
    PlacementRequest request = request(FILE, 1, ClusterView.NONE, existing);
    assertOnly(view, policy, request, GivenUp.SPREAD, sameTier, samePlace, neither);
    assertOnly(view, policy, request, GivenUp.TIER, samePlace, neither);
    assertOnly(view, policy, request, GivenUp.TIER_AND_SPREAD, neither);
  }

  /** Only {@code left} have room: the first of them must be chosen, as {@code given}. */
  private static void assertOnly(
      ArrayClusterView view,
      PlacementPolicy policy,
      PlacementRequest request,
      GivenUp given,
      int... left) {
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      view.setFreeBytes(volume, 0);
    }
    for (int volume : left) {
      view.setFreeBytes(volume, Clusters.FREE_BYTES);
    }
    for (int seed = 0; seed < 50; seed++) {
      List<Choice> choices = policy.place(request, view, new SplittableRandom(seed)).choices();
      assertThat(choices).hasSize(1);
      assertThat(choices.get(0).volume()).isEqualTo(left[0]);
      assertThat(choices.get(0).given()).isEqualTo(given);
    }
  }

  /** A host looks at the limit before the decision, and not again for each replica. */
  @Test
  void anAllowanceIsUsedUpByTheReplicasOfTheDecisionItself() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 2, 3);
    Allowance one =
        new Allowance() {
          @Override
          public int limitOf(int volume) {
            return view.tierOfVolume(volume) == 0 ? 5 : ClusterView.NONE;
          }

          @Override
          public int replicasLeft(int limit) {
            return 1;
          }
        };
    PlacementRequest asked =
        new PlacementRequest(
            FILE,
            Clusters.BLOCK_BYTES,
            3,
            ClusterView.NONE,
            ClusterView.NONE,
            new int[0],
            NodeSet.EMPTY,
            Avoid.NOTHING,
            ClusterView.NONE,
            new int[0],
            List.of(),
            one);
    Place decision =
        LayoutPlacement.of("3 x nvme", threeTiers()).place(asked, view, new SplittableRandom(1));
    assertThat(Clusters.tiersOf(decision, view)).containsExactly(0, 1, 1);
    assertThat(decision.choices())
        .extracting(Choice::reason)
        .containsExactly(Refusal.NONE, Refusal.QUOTA, Refusal.QUOTA);
  }

  @Test
  void fallsBackInTheAdministratorsOrderAndOnlyThenToTiersItLeavesOut() {
    TierTable tiers =
        TierTable.ofTiers(
            List.of(
                tier(0, "nvme", List.of(2)),
                tier(1, "sata", List.of()),
                tier(2, "disk", List.of())));
    ArrayClusterView view = Clusters.uniform(tiers, 1, 2, 2);
    PlacementPolicy policy = LayoutPlacement.of("1 x nvme", tiers);
    fillTier(view, 0);
    assertThat(tierOfOne(policy, view)).isEqualTo(2);
    fillTier(view, 2);
    assertThat(tierOfOne(policy, view)).isEqualTo(1);
  }

  /** The fast tier of a zone is the scarce one: what stands in for it is not asked first. */
  @Test
  void aZoneFallsBackAsItsSlowestTierDoes() {
    TierTable tiers =
        TierTable.ofTiers(
            List.of(
                tier(0, "nvme", List.of(2)),
                tier(1, "sata", List.of(3)),
                tier(2, "disk", List.of()),
                tier(3, "tape", List.of())));
    ArrayClusterView view = Clusters.uniform(tiers, 1, 2, 2);
    PlacementPolicy policy = PlacementPolicies.parse("network-aware:tiers=nvme+sata", tiers);
    fillTier(view, 0);
    fillTier(view, 1);
    assertThat(tierOfOne(policy, view)).isEqualTo(3);
  }

  private static Tier tier(int index, String name, List<Integer> fallback) {
    return new Tier(index, name, DeviceClass.unmeasured(name), fallback);
  }

  private static void fillTier(ArrayClusterView view, int tier) {
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.tierOfVolume(volume) == tier) {
        view.setFreeBytes(volume, 0);
      }
    }
  }

  private static int tierOfOne(PlacementPolicy policy, ClusterView view) {
    Place decision = policy.place(newBlock(1, 0), view, new SplittableRandom(1));
    return view.tierOfVolume(decision.choices().get(0).volume());
  }

  @Test
  void usableStoresAreDrawnEvenlyAlsoBesideRefusingOnes() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 5, 6);
    view.refuseNode(3, Refusal.OVERLOADED);
    view.refuseNode(4, Refusal.STALE);
    view.refuseNode(17, Refusal.SLOW);
    PlacementPolicy policy = new RandomPlacement(true);
    SplittableRandom random = new SplittableRandom(20240601);
    long[] drawn = new long[view.volumeCount()];
    int draws = 81_000;
    for (int i = 0; i < draws; i++) {
      drawn[policy.place(newBlock(1, 0), view, random).choices().get(0).volume()]++;
    }
    assertEven(drawn, draws, 27 * 3);
  }

  @Test
  void otherRacksAreDrawnEvenly() {
    ArrayClusterView view = Clusters.uniform(Clusters.tiers("disk"), 1, 5, 6);
    PlacementPolicy policy = new NetworkAwarePlacement();
    SplittableRandom random = new SplittableRandom(20240602);
    long[] drawn = new long[view.volumeCount()];
    int draws = 24_000;
    for (int i = 0; i < draws; i++) {
      drawn[policy.place(newBlock(2, 14), view, random).choices().get(1).volume()]++;
    }
    assertEven(drawn, draws, 24);
  }

  /**
   * Chi-square against equal chances; the bound is mean + 4 standard deviations, which one seed in
   * some ten thousand exceeds.
   */
  private static void assertEven(long[] drawn, int draws, int usable) {
    double expected = (double) draws / usable;
    double chiSquare = 0;
    int hit = 0;
    for (long count : drawn) {
      if (count > 0) {
        hit++;
        chiSquare += (count - expected) * (count - expected) / expected;
      }
    }
    assertThat(hit).isEqualTo(usable);
    double freedom = usable - 1;
    assertThat(chiSquare).isLessThan(freedom + 4 * Math.sqrt(2 * freedom));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "network-aware",
        "tier-aware",
        "hybrid",
        "hybrid:racks=3",
        "zone-ratio:0.3",
        "region-aware",
        "random"
      })
  void asksAsManyQuestionsInALargeClusterAsInASmallOne(String specification) {
    PlacementPolicy policy = PlacementPolicies.parse(specification, threeTiers());
    double small = questionsPerDecision(policy, 5, 20);
    double large = questionsPerDecision(policy, 500, 20);
    assertThat(large).isCloseTo(small, Offset.offset(0.1 * small));
    assertThat(large).isLessThan(200);
  }

  private static double questionsPerDecision(PlacementPolicy policy, int racks, int nodesPerRack) {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, racks, nodesPerRack);
    SplittableRandom random = new SplittableRandom(1);
    for (int node = 0; node < view.nodeCount(); node++) {
      if (random.nextInt(10) == 0) {
        view.refuseNode(node, Refusal.OVERLOADED);
      }
    }
    long[] questions = new long[1];
    ClusterView counting =
        (ClusterView)
            Proxy.newProxyInstance(
                ClusterView.class.getClassLoader(),
                new Class<?>[] {ClusterView.class},
                (proxy, method, arguments) -> {
                  questions[0]++;
                  return method.invoke(view, arguments);
                });
    int decisions = 1000;
    for (int i = 0; i < decisions; i++) {
      FileView file = new FileView(i, i);
      policy.place(request(file, 3, random.nextInt(view.nodeCount())), counting, random);
    }
    return (double) questions[0] / decisions;
  }

  @Test
  void aViewOfAnotherTierTableIsServedFromTheTiersItHas() {
    PlacementPolicy policy = LayoutPlacement.of("2 x disk + 1 x nvme", threeTiers());
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(Clusters.tiers("only"));
    for (int i = 0; i < 3; i++) {
      int node = builder.addNode("node" + i, "rack" + i, "region");
      builder.addVolume(node, 0, Clusters.FREE_BYTES);
    }
    ArrayClusterView view = builder.build();
    Place decision = policy.place(newBlock(3, 0), view, new SplittableRandom(1));
    assertThat(decision.choices()).hasSize(3);
  }

  /** Nodes whose numbers are equal modulo three share a domain. */
  @ParameterizedTest
  @ValueSource(
      strings = {"hybrid", "hybrid:racks=3", "network-aware", "layout:2 x nvme + 2 x disk"})
  void replicasAreInDifferentDomainsUntilThereAreAsManyAsAskedFor(String specification) {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 3);
    PlacementPolicy policy = PlacementPolicies.parse(specification, threeTiers());
    for (int seed = 0; seed < 200; seed++) {
      Place decision =
          policy.place(newBlock(4, seed % 9), inDomains(view), new SplittableRandom(seed));
      int[] domains =
          decision.choices().stream()
              .mapToInt(choice -> view.nodeOfVolume(choice.volume()) % 3)
              .toArray();
      assertThat(domains).hasSize(4);
      assertThat(Arrays.copyOf(domains, 3)).containsExactlyInAnyOrder(0, 1, 2);
    }
  }

  @Test
  void aReplicaIsLeftOutWhenOnlyItsDomainCouldRepeat() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 3);
    for (int node = 0; node < view.nodeCount(); node++) {
      if (node % 3 == 2) {
        view.refuseNode(node, Refusal.DEAD);
      }
    }
    Place decision =
        new HybridPlacement().place(newBlock(3, 0), inDomains(view), new SplittableRandom(1));
    assertThat(decision.choices()).hasSize(2);
  }

  /** One node of many has a domain that no replica has; nearly all are asked and refused. */
  @Test
  void domainsOfManyReplicasAreComparedOnceAndNotForEachNodeThatIsAsked() {
    int replicas = 300;
    ArrayClusterView cluster = Clusters.uniform(threeTiers(), 1, 4, 150);
    int[] existing = new int[replicas];
    for (int i = 0; i < replicas; i++) {
      existing[i] = cluster.volumeIn(cluster.storeOfNode(2 * i, 0), 0, 0);
    }
    long[] comparisons = {0};
    ClusterView view =
        (ClusterView)
            Proxy.newProxyInstance(
                ClusterView.class.getClassLoader(),
                new Class<?>[] {ClusterView.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "domainsMin" -> Integer.MAX_VALUE;
                      case "shareDomain" -> {
                        comparisons[0]++;
                        yield domain((int) arguments[0]) == domain((int) arguments[1]);
                      }
                      default -> method.invoke(cluster, arguments);
                    });
    PlacementRequest copy =
        new PlacementRequest(
            new FileView(1, 0),
            1,
            1,
            ClusterView.NONE,
            ClusterView.NONE,
            existing,
            PlacementRequest.NodeSet.EMPTY,
            PlacementRequest.Avoid.NOTHING);
    Place decision = new HybridPlacement().place(copy, view, new SplittableRandom(1));
    assertThat(decision.choices()).hasSize(1);
    assertThat(domain(view.nodeOfVolume(decision.choices().get(0).volume()))).isEqualTo(1);
    // Once each pair of replicas at most; then each node that is asked with each replica at most,
    // and its own replica's domain is met early.
    assertThat(comparisons[0]).isLessThan(20L * replicas + (long) replicas * replicas / 2);
  }

  private static int domain(int node) {
    return node == 599 ? 1 : 0;
  }

  private static ClusterView inDomains(ClusterView view) {
    return (ClusterView)
        Proxy.newProxyInstance(
            ClusterView.class.getClassLoader(),
            new Class<?>[] {ClusterView.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "domainsMin" -> 3;
                  case "shareDomain" -> (int) arguments[0] % 3 == (int) arguments[1] % 3;
                  default -> method.invoke(view, arguments);
                });
  }
}
