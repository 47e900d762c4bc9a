package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.movement.LayoutCheck.Verdict;
import io.tierwise.policies.placement.PlacementPolicies;
import org.junit.jupiter.api.Test;

/** On nodes with an SSD (volume 2 n) and a disk (volume 2 n + 1) each. */
class LayoutCheckTest {
  private final ArrayClusterView view = MovementCases.mixedNodes(2, 2);

  private LayoutCheck check(String layout, int replicas, int... volumes) {
    return LayoutCheck.of(
        PlacementPolicies.parse("layout:" + layout, MovementCases.TIERS),
        new FileView(1, 0, replicas),
        volumes,
        view);
  }

  @Test
  void aBlockThatStandsAsItsLayoutSaysIsAsWanted() {
    assertThat(check("1 x ssd + 2 x disk", 3, 0, 3, 5))
        .isEqualTo(new LayoutCheck(Verdict.AS_WANTED, 0, 0));
  }

  @Test
  void aTierWithoutAnyReplicaMissesItsCopy() {
    assertThat(check("1 x ssd + 2 x disk", 3, 1, 3, 5))
        .isEqualTo(new LayoutCheck(Verdict.MISPLACED, 1, 1));
    assertThat(check("3 x ssd", 3, 1, 3, 5)).isEqualTo(new LayoutCheck(Verdict.MISPLACED, 3, 3));
  }

  @Test
  void aTierThatHasAReplicaMissesNone() {
    assertThat(check("2 x ssd + 1 x disk", 3, 0, 3, 5))
        .isEqualTo(new LayoutCheck(Verdict.MISPLACED, 1, 0));
  }

  @Test
  void tooFewAndTooManyReplicasAreTheEngines() {
    assertThat(check("1 x ssd + 2 x disk", 3, 1, 3).verdict()).isEqualTo(Verdict.LEFT_TO_ENGINE);
    assertThat(check("1 x ssd + 1 x disk", 2, 1, 3, 5).verdict()).isEqualTo(Verdict.LEFT_TO_ENGINE);
  }

  @Test
  void aReplicaInAnUnknownPlaceIsMisplaced() {
    assertThat(check("1 x ssd + 2 x disk", 3, 0, 3, ClusterView.NONE).verdict())
        .isEqualTo(Verdict.MISPLACED);
  }

  @Test
  void replicasBeyondTheSlotsMayStandAnywhere() {
    assertThat(check("1 x ssd", 3, 0, 3, 5)).isEqualTo(new LayoutCheck(Verdict.AS_WANTED, 0, 0));
    assertThat(check("2 x disk", 3, 0, 3, 5)).isEqualTo(new LayoutCheck(Verdict.AS_WANTED, 0, 0));
    assertThat(check("1 x ssd", 3, 1, 3, 5)).isEqualTo(new LayoutCheck(Verdict.MISPLACED, 1, 1));
  }
}
