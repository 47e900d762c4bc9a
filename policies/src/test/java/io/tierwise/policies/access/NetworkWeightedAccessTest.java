package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Example;

class NetworkWeightedAccessTest extends AccessStrategyContract {
  private static final ArrayReadView ONE_A_TIER = ArrayReadView.replicas(DISK, 0, SSD, 2, NVME, 4);

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        NetworkWeightedAccess.DEFAULT,
        new NetworkWeightedAccess(7),
        new NetworkWeightedAccess(NetworkWeightedAccess.LEVEL_COST_MAX));
  }

  /** 1, 1/2 and 1/3, whatever the devices are. */
  @Example
  void weighsByLevelsOfSwitchesAlone() {
    double total = 1 + 1 / 2.0 + 1 / 3.0;
    double[] shares = {1 / total, 1 / 2.0 / total, 1 / 3.0 / total};
    FirstChoices.assertShares(NetworkWeightedAccess.DEFAULT, ONE_A_TIER, shares);
    FirstChoices.assertShares(
        NetworkWeightedAccess.DEFAULT, ONE_A_TIER.in(ArrayReadView.UNMEASURED), shares);
    ArrayReadView otherWayRound = ArrayReadView.replicas(NVME, 0, SSD, 2, DISK, 4);
    FirstChoices.assertShares(NetworkWeightedAccess.DEFAULT, otherWayRound, shares);
  }

  @Example
  void aDearerLevelDrawsReadersToNearReplicas() {
    double total = 1 + 1 / 4.0 + 1 / 7.0;
    FirstChoices.assertShares(
        new NetworkWeightedAccess(3), ONE_A_TIER, 1 / total, 1 / 4.0 / total, 1 / 7.0 / total);
  }

  @Example
  void refusesALevelThatCostsNothing() {
    assertThatThrownBy(() -> new NetworkWeightedAccess(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("level-cost 0 is outside 1-1000000");
  }
}
