package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PipelinedHybridAccessTest extends AccessStrategyContract {
  private static final ArrayReadView ONE_A_TIER = ArrayReadView.replicas(DISK, 0, SSD, 2, NVME, 4);

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        PipelinedHybridAccess.DEFAULT,
        new PipelinedHybridAccess(1),
        new PipelinedHybridAccess(HybridAccess.LINK_MAX));
  }

  /** Links of 10 Gbps are faster than all three devices: only the devices count. */
  @Example
  void onFastLinksTheDevicesAloneDecide() {
    double total = 61 + 191 + 533;
    FirstChoices.assertShares(
        PipelinedHybridAccess.DEFAULT, ONE_A_TIER, 61 / total, 191 / total, 533 / total);
  }

  @Example
  void onSlowLinksRemoteDevicesAreAsFastAsTheLink() {
    double total = 61 + 125 + 125;
    FirstChoices.assertShares(
        new PipelinedHybridAccess(125), ONE_A_TIER, 61 / total, 125 / total, 125 / total);
  }

  @Example
  void anUnmeasuredClassMakesWeightsGoByRank() {
    double total = 1 / 9.0 + 1 / 3.0 + 1;
    FirstChoices.assertShares(
        PipelinedHybridAccess.DEFAULT,
        ONE_A_TIER.in(ArrayReadView.UNMEASURED),
        1 / 9.0 / total,
        1 / 3.0 / total,
        1 / total);
  }

  /** The sum of stages is never less than the slowest of them. */
  @Property
  void noReplicaIsLighterThanByThePapersRule(@ForAll("views") ArrayReadView view) {
    for (int link : List.of(1, 125, 1250)) {
      PipelinedHybridAccess pipelined = new PipelinedHybridAccess(link);
      HybridAccess paper = new HybridAccess(link);
      var basis = pipelined.basis(view);
      for (int replica = 0; replica < view.replicaCount(); replica++) {
        double weight = pipelined.weight(view, replica, basis);
        assertThat(weight).isPositive().isFinite();
        double least = paper.weight(view, replica, basis) * (1 - 1e-9);
        assertThat(weight).isGreaterThanOrEqualTo(least);
      }
    }
  }

  @Example
  void refusesALinkWithoutSpeed() {
    assertThatThrownBy(() -> new PipelinedHybridAccess(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("link-megabytes-per-second 0 is outside 1-1000000");
  }
}
