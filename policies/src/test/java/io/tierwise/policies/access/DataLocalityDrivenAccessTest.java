package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;

class DataLocalityDrivenAccessTest extends AccessStrategyContract {
  private final AccessStrategy strategy = new DataLocalityDrivenAccess();

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(strategy);
  }

  @Example
  void readsLocallyWhateverTheTierAndFallsBackToTheFastest() {
    ArrayReadView view = ArrayReadView.replicas(SSD, 2, DISK, 0, NVME, 4);
    assertThat(orderOf(strategy, view)).containsExactly(1, 2, 0);
    assertThat(reasonOf(strategy, view)).isEqualTo(AccessReason.LOCAL);
  }

  @Example
  void withoutALocalReplicaReadsTheFastestTierAndTheNearestAmongEquals() {
    ArrayReadView view = ArrayReadView.replicas(DISK, 2, NVME, 4, NVME, 2);
    assertThat(orderOf(strategy, view)).containsExactly(2, 1, 0);
    assertThat(reasonOf(strategy, view)).isEqualTo(AccessReason.FASTEST_TIER);
  }
}
