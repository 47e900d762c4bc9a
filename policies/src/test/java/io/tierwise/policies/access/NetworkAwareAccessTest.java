package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;

class NetworkAwareAccessTest extends AccessStrategyContract {
  private final AccessStrategy strategy = new NetworkAwareAccess();

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(strategy);
  }

  @Example
  void keepsTheHostsOrderEvenWhereItIsNotByDistance() {
    ArrayReadView view = ArrayReadView.replicas(DISK, 4, NVME, 0, SSD, 2);
    assertThat(orderOf(strategy, view)).containsExactly(0, 1, 2);
    assertThat(reasonOf(strategy, view)).isEqualTo(AccessReason.NEAREST);
  }
}
