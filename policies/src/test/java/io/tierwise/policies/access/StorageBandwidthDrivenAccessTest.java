package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.HATS;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;

class StorageBandwidthDrivenAccessTest extends AccessStrategyContract {
  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        StorageBandwidthDrivenAccess.DEFAULT,
        new StorageBandwidthDrivenAccess(1),
        new StorageBandwidthDrivenAccess(4));
  }

  @Example
  void asksTheFastDeviceFirstThenTheLocalReplicaThenTheNearestAndTheFastOneAgainLater() {
    ArrayReadView view = ArrayReadView.replicas(SSD, 4, DISK, 0, DISK, 2, NVME, 6);
    AccessStrategy strategy = StorageBandwidthDrivenAccess.DEFAULT;
    assertThat(orderOf(strategy, view)).containsExactly(3, 1, 2, 0);
    assertThat(reasonOf(strategy, view)).isEqualTo(AccessReason.FASTEST_TIER);
    assertThat(strategy.afterRefusal()).isEqualTo(AfterRefusal.ASK_AGAIN);
  }

  @Example
  void theThresholdIsTheOneGivenElseTheMeasuredElseThePapers() {
    Admission measured = StorageBandwidthDrivenAccess.DEFAULT.admission();
    assertThat(measured.limit()).isEqualTo(Admission.Limit.STORAGE_READERS);
    assertThat(measured.thresholdOf(HATS.tier(NVME))).isEqualTo(8);
    assertThat(measured.thresholdOf(HATS.tier(DISK))).isEqualTo(4);
    Admission given = new StorageBandwidthDrivenAccess(2).admission();
    assertThat(given.thresholdOf(HATS.tier(NVME))).isEqualTo(2);
  }

  @Example
  void strategiesThatAwaitNoRefusalLimitNothing() {
    Admission admission = new GreedyAccess().admission();
    assertThat(admission.thresholdOf(HATS.tier(DISK))).isEqualTo(Integer.MAX_VALUE);
    assertThat(new GreedyAccess().afterRefusal()).isEqualTo(AfterRefusal.AVOID_NODE);
  }
}
