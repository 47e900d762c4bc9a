package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;

class GreedyAccessTest extends AccessStrategyContract {
  private final AccessStrategy strategy = new GreedyAccess();

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(strategy);
  }

  @Example
  void prefersRemoteFastStorageToLocalSlowStorage() {
    ArrayReadView view = ArrayReadView.replicas(DISK, 0, SSD, 2, NVME, 6);
    assertThat(orderOf(strategy, view)).containsExactly(2, 1, 0);
    assertThat(reasonOf(strategy, view)).isEqualTo(AccessReason.FASTEST_TIER);
  }

  @Example
  void prefersTheNearestWithinATierAndKeepsTheHostsOrderAmongEquals() {
    ArrayReadView view = ArrayReadView.replicas(SSD, 4, SSD, 2, SSD, 4, SSD, 2);
    assertThat(orderOf(strategy, view)).containsExactly(1, 3, 0, 2);
  }

  @Example
  void putsAReplicaOfUnknownTierBehindTheSlowest() {
    ArrayReadView view = ArrayReadView.replicas(-1, 0, DISK, 6);
    assertThat(orderOf(strategy, view)).containsExactly(1, 0);
  }
}
