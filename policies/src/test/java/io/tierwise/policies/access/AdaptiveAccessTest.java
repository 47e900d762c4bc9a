package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;

class AdaptiveAccessTest extends AccessStrategyContract {
  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        AdaptiveAccess.DEFAULT,
        new AdaptiveAccess(1, 10, 8),
        new AdaptiveAccess(500_000, 1_000_000, 1 << 20));
  }

  @Example
  void withoutMemoryDecidesAsItsFirstArm() {
    ArrayReadView view = ArrayReadView.replicas(SSD, 2, DISK, 0, NVME, 4);
    AccessStrategy first = AdaptiveAccess.DEFAULT.arms().get(0);
    assertThat(orderOf(AdaptiveAccess.DEFAULT, view)).isEqualTo(orderOf(first, view));
  }
}
