package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HybridAccessTest extends AccessStrategyContract {
  private static final ArrayReadView ONE_A_TIER = ArrayReadView.replicas(DISK, 0, SSD, 2, NVME, 4);

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        HybridAccess.DEFAULT, new HybridAccess(1), new HybridAccess(HybridAccess.LINK_MAX));
  }

  @Example
  void weighsByTheInverseOfDeviceAndNetworkTime() {
    double disk = 61;
    double ssd = 1 / (1 / 191.0 + 1 / 1250.0);
    double nvme = 1 / (1 / 533.0 + 2 / 1250.0);
    double total = disk + ssd + nvme;
    FirstChoices.assertShares(
        HybridAccess.DEFAULT, ONE_A_TIER, disk / total, ssd / total, nvme / total);
  }

  @Example
  void aSlowLinkMakesTheLocalDiskHeavierThanRemoteFastStorage() {
    HybridAccess gigabit = new HybridAccess(125);
    var basis = gigabit.basis(ONE_A_TIER);
    assertThat(gigabit.weight(ONE_A_TIER, 0, basis))
        .isGreaterThan(gigabit.weight(ONE_A_TIER, 2, basis));
    basis = HybridAccess.DEFAULT.basis(ONE_A_TIER);
    assertThat(HybridAccess.DEFAULT.weight(ONE_A_TIER, 0, basis))
        .isLessThan(HybridAccess.DEFAULT.weight(ONE_A_TIER, 2, basis));
  }

  @Example
  void anUnmeasuredClassMakesWeightsGoByRankAndDistance() {
    double disk = 1 / 9.0;
    double ssd = 1 / 3.0 / 2;
    double nvme = 1 / 3.0;
    double total = disk + ssd + nvme;
    FirstChoices.assertShares(
        HybridAccess.DEFAULT,
        ONE_A_TIER.in(ArrayReadView.UNMEASURED),
        disk / total,
        ssd / total,
        nvme / total);
  }

  @Property
  void aNearerReplicaOfTheSameTierIsNeverLighter(@ForAll("views") ArrayReadView view) {
    for (HybridAccess hybrid : List.of(HybridAccess.DEFAULT, new HybridAccess(1))) {
      var basis = hybrid.basis(view);
      for (int a = 0; a < view.replicaCount(); a++) {
        double weight = hybrid.weight(view, a, basis);
        assertThat(weight).isPositive().isFinite();
        for (int b = 0; b < view.replicaCount(); b++) {
          if (view.tier(a) == view.tier(b) && view.distance(a) < view.distance(b)) {
            assertThat(weight).isGreaterThanOrEqualTo(hybrid.weight(view, b, basis));
          }
        }
      }
    }
  }

  @Example
  void withAFreeNetworkItIsTierAware() {
    HybridAccess fast = new HybridAccess(HybridAccess.LINK_MAX);
    double weight = fast.weight(ONE_A_TIER, 2, fast.basis(ONE_A_TIER));
    assertThat(weight).isCloseTo(533e6, within(1e6));
  }

  @Example
  void refusesALinkWithoutSpeed() {
    assertThatThrownBy(() -> new HybridAccess(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("link-megabytes-per-second 0 is outside 1-1000000");
  }
}
