package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.regionsOf;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementRequest.Allowance;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that a policy lets come after the write. */
class AsyncReplicasTest {
  private static final String ONE_LATER =
      "layout:1 x any in region region1 async + 2 x any in region region0";

  private final ClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);

  private static PlacementPolicy parse(String policy) {
    return PlacementPolicies.parse(policy, threeTiers());
  }

  private Place place(String policy, int atOnceMin, int replicas, int... existing) {
    PlacementRequest request =
        new PlacementRequest(
            new FileView(1, 0, 3),
            Clusters.BLOCK_BYTES,
            replicas,
            ClusterView.NONE,
            ClusterView.NONE,
            existing,
            NodeSet.EMPTY,
            Avoid.NOTHING,
            ClusterView.NONE,
            new int[0],
            List.of(),
            Allowance.UNLIMITED,
            atOnceMin);
    return parse(policy).place(request, view, new SplittableRandom(1));
  }

  @Test
  void aNewBlockGetsTheOthersAndARepairTheRest() {
    Place first = place(ONE_LATER, 1, 3);
    assertThat(first.async()).isEqualTo(1);
    assertThat(regionsOf(first, view)).containsExactly(0, 0);
    assertThat(first.describe(view)).endsWith(") 1 after the write");

    Place rest = place(ONE_LATER, 1, 1, Clusters.volumes(first));
    assertThat(rest.async()).isZero();
    assertThat(regionsOf(rest, view)).containsExactly(1);
    assertThat(rest.describe(view)).doesNotContain("after the write");
  }

  @Test
  void asManyAreChosenAtOnceAsTheHostAsksFor() {
    assertThat(place(ONE_LATER, 3, 3).choices()).hasSize(3);
    String all = "layout:2 x any async";
    assertThat(place(all, 0, 2).choices()).hasSize(1);
    assertThat(place(all, 2, 2).choices()).hasSize(2);
    assertThat(place(all, 2, 2).async()).isZero();
  }

  @Test
  void aHostThatSaysNothingGetsAllAtOnce() {
    Place all =
        parse(ONE_LATER)
            .place(Clusters.newBlock(3, ClusterView.NONE), view, new SplittableRandom(1));
    assertThat(all.choices()).hasSize(3);
    assertThat(all.async()).isZero();
  }

  @Test
  void aRegionAwareBlockBeginsInOneRegion() {
    Place first = place("region-aware:async", 1, 3);
    assertThat(regionsOf(first, view).stream().distinct()).hasSize(1);
    assertThat(first.choices()).hasSize(3 - first.async());
    assertThat(place("region-aware", 1, 3).choices()).hasSize(3);
  }

  @Test
  void whatIsStillToComeIsToldOfStoredBlocks() {
    PlacementPolicy policy = parse(ONE_LATER);
    assertThat(policy.writesAsync()).isTrue();
    int[] first = Clusters.volumes(place(ONE_LATER, 1, 3));
    FileView file = new FileView(1, 0, 3);
    assertThat(policy.fit(file, first, 3, view).orElseThrow().openAsync()).isEqualTo(1);
    int[] all = Clusters.volumes(place(ONE_LATER, 3, 3));
    assertThat(policy.fit(file, all, 3, view).orElseThrow().openAsync()).isZero();
    PlacementPolicy aware = parse("region-aware:async");
    int[] begun = Clusters.volumes(place("region-aware:async", 1, 3));
    assertThat(aware.fit(file, begun, 3, view).orElseThrow().openAsync())
        .isEqualTo(3 - begun.length);
    assertThat(parse("hybrid").writesAsync()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "layout:2 x any in region east + 1 x any in region west async",
        "layout:1 x nvme on different racks async + 2 x disk",
        "layout:1 x any in region async",
        "layout:1 x any in region async async",
        "layout:1 x any async",
        "region-aware:async"
      })
  void theTextIsReadAndWrittenAlike(String policy) {
    assertThat(parse(policy)).hasToString(policy);
  }

  @Test
  void verbsKeepTheWord() {
    LayoutChange layout = LayoutChange.of("1 x disk + 2 x sata in region west async", threeTiers());
    assertThat(layout.moved(1, 0, 1).placement())
        .hasToString(
            "layout:1 x disk + 1 x nvme in region west async + 1 x sata in region west async");
    assertThat(
            layout
                .moved(
                    new LayoutChange.Region("west", List.of("east", "west")),
                    new LayoutChange.Region("east", List.of("east", "west")),
                    2)
                .placement())
        .hasToString("layout:1 x disk + 2 x sata in region east async");
  }

  @Test
  void anotherSettingIsRefusedInOneLine() {
    assertThatThrownBy(() -> parse("region-aware:later"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("region-aware: \"later\" is no setting; allowed: async");
    assertThatThrownBy(() -> parse("layout:1 x any later"))
        .hasMessageContaining("[in region NAME] [async | surplus]");
  }
}
