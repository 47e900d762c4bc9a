package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.nodesOf;
import static io.tierwise.policies.placement.Clusters.racksOf;
import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.volumes;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.DecisionMemory;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of every placement policy. The tiers are nvme, sata and disk. */
public abstract class PlacementContract {
  private static final int SEEDS = 200;

  protected abstract PlacementPolicy policy();

  /** Whether the policy keeps blocks out of single racks. */
  protected boolean rackSafe() {
    return true;
  }

  @Test
  void canonicalNameIsReadBackAsTheSamePolicy() {
    PlacementPolicy again = PlacementPolicies.parse(policy().name(), threeTiers());
    assertThat(again.name()).isEqualTo(policy().name());
    assertThat(again).hasSameClassAs(policy());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 7, 12})
  void givesAsManyReplicasAsWantedOnDistinctNodes(int replicaCount) {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    for (int seed = 0; seed < SEEDS; seed++) {
      Place decision = place(newBlock(replicaCount, seed % 12), view, seed);
      assertThat(nodesOf(decision, view)).hasSize(replicaCount).doesNotHaveDuplicates();
      assertThat(decision.policy()).isEqualTo(policy().name());
    }
  }

  @Test
  void givesOneReplicaANodeWhenMoreAreWantedThanNodesExist() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 2, 2);
    Place decision = place(newBlock(512, 0), view, 1);
    assertThat(nodesOf(decision, view)).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void oneNodeClusterTakesOneReplica() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 1, 1);
    assertThat(nodesOf(place(newBlock(3, 0), view, 1), view)).containsExactly(0);
  }

  @Test
  void emptyClusterTakesNone() {
    ArrayClusterView view = new ArrayClusterViewBuilder(threeTiers()).build();
    assertThat(place(newBlock(3, ClusterView.NONE), view, 1).choices()).isEmpty();
  }

  @Test
  void sameSeedGivesTheSameDecision() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 3, 5);
    for (int seed = 0; seed < SEEDS; seed++) {
      PlacementRequest request = newBlock(3, seed % 30);
      assertThat(place(request, view, seed)).isEqualTo(place(request, view, seed));
    }
  }

  @Test
  void blocksStandInTwoRacks() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 4);
    int oneRack = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Place decision = place(newBlock(2 + seed % 3, seed % 16), view, seed);
      oneRack += racksOf(decision, view).stream().distinct().count() == 1 ? 1 : 0;
    }
    if (rackSafe()) {
      assertThat(oneRack).isZero();
    } else {
      assertThat(oneRack).as("the paper's rule leaves some blocks in one rack").isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"NONE"},
      mode = EnumSource.Mode.EXCLUDE)
  void nodesThatRefuseAreReplacedByOthers(Refusal refusal) {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    for (int node = 0; node < view.nodeCount(); node += 2) {
      view.refuseNode(node, refusal);
    }
    for (int seed = 0; seed < SEEDS; seed++) {
      Place decision = place(newBlock(3, seed % 12), view, seed);
      assertThat(nodesOf(decision, view)).hasSize(3).allMatch(node -> node % 2 == 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void fullTierIsReplacedByItsFallback(int tier) {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.tierOfVolume(volume) == tier) {
        view.setFreeBytes(volume, Clusters.BLOCK_BYTES - 1);
      }
    }
    for (int seed = 0; seed < SEEDS; seed++) {
      int[] chosen = volumes(place(newBlock(3, seed % 12), view, seed));
      assertThat(chosen).hasSize(3);
      assertThat(Arrays.stream(chosen).map(view::tierOfVolume)).doesNotContain(tier);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void missingTiersAreReplaced(int onlyTier) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(threeTiers());
    for (int i = 0; i < 9; i++) {
      int node = builder.addNode("node" + i, "rack" + i % 3, "region" + i % 3);
      builder.addVolume(node, onlyTier, Clusters.FREE_BYTES);
    }
    ArrayClusterView view = builder.build();
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(place(newBlock(3, seed % 9), view, seed).choices()).hasSize(3);
    }
  }

  @Test
  void theOnlyVolumeThatFitsIsFound() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 5, 20);
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      view.setFreeBytes(volume, 0);
    }
    for (int last = 0; last < view.volumeCount(); last += 7) {
      view.setFreeBytes(last, Clusters.BLOCK_BYTES);
      assertThat(volumes(place(newBlock(3, 11), view, last))).containsExactly(last);
      view.setFreeBytes(last, 0);
    }
  }

  @Test
  void excludedNodesAndNodesOfExistingReplicasAreNotChosen() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    NodeSet excluded = node -> node % 3 == 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      int existing = seed % view.volumeCount();
      PlacementRequest request =
          new PlacementRequest(
              new FileView(seed, seed),
              Clusters.BLOCK_BYTES,
              2,
              view.nodeOfVolume(existing),
              ClusterView.NONE,
              new int[] {existing, ClusterView.NONE},
              excluded,
              Avoid.NOTHING);
      assertThat(nodesOf(place(request, view, seed), view))
          .hasSize(2)
          .doesNotHaveDuplicates()
          .noneMatch(node -> node % 3 == 0)
          .doesNotContain(view.nodeOfVolume(existing));
    }
  }

  @Test
  void keepsClearOfTheWriterWhenAskedTo() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 4, 3);
    for (int seed = 0; seed < SEEDS; seed++) {
      int writer = seed % 12;
      Place node = place(avoiding(Avoid.WRITER_NODE, writer), view, seed);
      assertThat(nodesOf(node, view)).hasSize(3).doesNotContain(writer);
      Place rack = place(avoiding(Avoid.WRITER_RACK, writer), view, seed);
      assertThat(racksOf(rack, view)).hasSize(3).doesNotContain(view.rackOfNode(writer));
    }
  }

  @Test
  void keepsClearOfTheWriterAlsoWhereItsNodeIsNotPreferred() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 2, 2);
    for (int seed = 0; seed < SEEDS; seed++) {
      int writer = seed % 4;
      PlacementRequest request =
          new PlacementRequest(
              new FileView(1, 0),
              Clusters.BLOCK_BYTES,
              3,
              ClusterView.NONE,
              view.rackOfNode(writer),
              new int[0],
              NodeSet.EMPTY,
              Avoid.WRITER_NODE,
              writer,
              new int[0],
              List.of(),
              PlacementRequest.Allowance.UNLIMITED);
      assertThat(nodesOf(place(request, view, seed), view)).hasSize(3).doesNotContain(writer);
    }
  }

  @Test
  void usesTheWriterAfterAllWhenKeepingClearLeavesTooFew() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 1);
    for (Avoid avoid : Avoid.values()) {
      assertThat(place(avoiding(avoid, 1), view, 1).choices()).as("%s", avoid).hasSize(3);
    }
  }

  @Test
  void aWriterOutsideTheClusterIsServed() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    for (int seed = 0; seed < SEEDS; seed++) {
      PlacementRequest request =
          new PlacementRequest(
              FileView.UNKNOWN,
              Clusters.BLOCK_BYTES,
              3,
              ClusterView.NONE,
              seed % 2 == 0 ? ClusterView.NONE : seed % 4,
              new int[0],
              NodeSet.EMPTY,
              Avoid.NOTHING);
      assertThat(place(request, view, seed).choices()).hasSize(3);
    }
  }

  @Test
  void aLostReplicaComesBackOnTheTierAndInTheRegionItWasLostFrom() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 3, 3, 4);
    for (int seed = 0; seed < SEEDS; seed++) {
      FileView file = new FileView(seed, seed);
      int[] whole = volumes(place(request(file, 3, seed % 36), view, seed));
      for (int lost = 0; lost < 3; lost++) {
        int[] left = {whole[(lost + 1) % 3], whole[(lost + 2) % 3]};
        int source = view.nodeOfVolume(left[seed % 2]);
        Place decision = place(request(file, 1, source, left), view, seed + 1);
        assertThat(volumes(decision)).hasSize(1);
        assertThat(decision.choices().get(0).given()).isIn(GivenUp.NOTHING, GivenUp.SPREAD);
        assertRestored(whole[lost], volumes(decision)[0], view);
      }
    }
  }

  /** Policies that name neither tiers nor regions override this. */
  protected void assertRestored(int lost, int restored, ClusterView view) {
    assertThat(view.tierOfVolume(restored)).isEqualTo(view.tierOfVolume(lost));
  }

  @Test
  void droppingOneTooManyKeepsTwoRacksAndWhatTheFirstThreeAre() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 3, 3, 4);
    for (int seed = 0; seed < SEEDS; seed++) {
      FileView file = new FileView(seed, seed);
      int[] three = volumes(place(request(file, 3, seed % 36), view, seed));
      int added = volumes(place(request(file, 1, seed % 36, three), view, seed))[0];
      // The added replica may stand anywhere in the list that a host hands in.
      int[] four = {three[0], three[1], three[2], three[2]};
      four[seed % 4] = added;
      if (seed % 4 < 3) {
        four[3] = three[seed % 4];
      }
      int[] left = without(four, policy().chooseExcess(four, file, 3, view)[0]);
      if (rackSafe()) {
        assertThat(Arrays.stream(left).map(v -> view.rackOfNode(view.nodeOfVolume(v))).distinct())
            .hasSizeGreaterThan(1);
      }
      assertKept(three, left, view);
    }
  }

  /** Policies that name neither tiers nor regions override this. */
  protected void assertKept(int[] three, int[] left, ClusterView view) {
    assertThat(Arrays.stream(left).map(view::tierOfVolume).sorted())
        .containsExactly(
            Arrays.stream(three).map(view::tierOfVolume).sorted().boxed().toArray(Integer[]::new));
  }

  @Test
  void nothingThatADecisionAllocatesOutlivesIt() {
    assertNothingIsHeld(30_000);
  }

  /** Long: make test has fewer decisions. */
  @Tag("long")
  @Test
  void noneOfManyDecisionsLeavesAnything() {
    assertNothingIsHeld(100_000);
  }

  private void assertNothingIsHeld(int decisions) {
    PlacementPolicy policy = policy();
    ArrayClusterView view = Clusters.uniform(threeTiers(), 3, 2, 4);
    assertThat(DecisionMemory.heldBytes(decisions, i -> placeRepairAndDrop(policy, view, i)))
        .as("bytes left of a decision by %s", policy.name())
        .isLessThan(DecisionMemory.HALF_OBJECT_BYTES);
  }

  @Test
  void aDecisionTakesAsLittleMemoryHoweverLargeTheClusterIs() {
    PlacementPolicy policy = policy();
    ArrayClusterView small = Clusters.uniform(threeTiers(), 3, 3, 4);
    ArrayClusterView large = Clusters.uniform(threeTiers(), 3, 30, 40);
    double few = DecisionMemory.allocatedBytes(5_000, i -> placeRepairAndDrop(policy, small, i));
    double many = DecisionMemory.allocatedBytes(5_000, i -> placeRepairAndDrop(policy, large, i));
    assertThat(many)
        .as("bytes by %s on 3,600 nodes; %.0f on 36", policy.name(), few)
        .isLessThan(1.5 * few);
  }

  /** The replicas of a block, one of them lost, then one too many: each time of another file. */
  private static void placeRepairAndDrop(PlacementPolicy policy, ClusterView view, int seed) {
    RandomGenerator random = new SplittableRandom(seed);
    FileView file = new FileView(seed, seed);
    int[] three = volumes(policy.place(request(file, 3, seed % view.nodeCount()), view, random));
    policy.place(request(file, 1, view.nodeOfVolume(three[0]), three[0], three[1]), view, random);
    policy.chooseExcess(three, file, 2, view);
  }

  @Test
  void describesEachReplicaInWords() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 2);
    Place decision = place(newBlock(3, 0), view, 1);
    assertThat(decision.describe(view))
        .startsWith(policy().name())
        .contains("rack0-")
        .contains("@");
  }

  private Place place(PlacementRequest request, ClusterView view, long seed) {
    return policy().place(request, view, new SplittableRandom(seed));
  }

  private static PlacementRequest avoiding(Avoid avoid, int writer) {
    return new PlacementRequest(
        new FileView(1, 0),
        Clusters.BLOCK_BYTES,
        3,
        writer,
        ClusterView.NONE,
        new int[0],
        NodeSet.EMPTY,
        avoid);
  }

  private static int[] without(int[] volumes, int index) {
    int[] left = new int[volumes.length - 1];
    for (int i = 0; i < left.length; i++) {
      left[i] = volumes[i < index ? i : i + 1];
    }
    return left;
  }
}
