package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.HATS;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class NetworkBandwidthDrivenAccessTest extends AccessStrategyContract {
  private static final AccessStrategy CLIENT_SIDE = new NetworkBandwidthDrivenAccess(4, true);
  private static final ArrayReadView VIEW =
      ArrayReadView.replicas(DISK, 0, DISK, 2, SSD, 4, NVME, 6);

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        NetworkBandwidthDrivenAccess.DEFAULT,
        CLIENT_SIDE,
        new NetworkBandwidthDrivenAccess(1, true),
        new NetworkBandwidthDrivenAccess(1_000_000, false));
  }

  @Example
  void asksTheFastNodeFirstThenTheLocalReplicaThenTheNearest() {
    assertThat(orderOf(NetworkBandwidthDrivenAccess.DEFAULT, VIEW)).containsExactly(3, 0, 1, 2);
    assertThat(reasonOf(NetworkBandwidthDrivenAccess.DEFAULT, VIEW))
        .isEqualTo(AccessReason.FASTEST_TIER);
  }

  @Example
  void withoutALocalReplicaTheNearestFollowsARefusal() {
    ArrayReadView view = ArrayReadView.replicas(SSD, 4, DISK, 2, NVME, 6);
    assertThat(orderOf(NetworkBandwidthDrivenAccess.DEFAULT, view)).containsExactly(2, 1, 0);
  }

  @Example
  void asksTheFastNodeAgainForEachLaterBlock() {
    assertThat(NetworkBandwidthDrivenAccess.DEFAULT.afterRefusal())
        .isEqualTo(AfterRefusal.ASK_AGAIN);
  }

  @Example
  void expectsTheNodeToRefuseAtItsConnectionThreshold() {
    Admission admission = new NetworkBandwidthDrivenAccess(7, false).admission();
    assertThat(admission.limit()).isEqualTo(Admission.Limit.NODE_CONNECTIONS);
    assertThat(admission.thresholdOf(HATS.tier(NVME))).isEqualTo(7);
  }

  @Example
  void onTheClientSidePassesOverANodeAtItsThresholdAndKeepsItLast() {
    assertThat(orderOf(CLIENT_SIDE, VIEW.withTransfers(0, 0, 0, 4))).containsExactly(0, 1, 2, 3);
    assertThat(reasonOf(CLIENT_SIDE, VIEW.withTransfers(0, 0, 0, 4)))
        .isEqualTo(AccessReason.SATURATED);
    assertThat(orderOf(CLIENT_SIDE, VIEW.withTransfers(0, 0, 0, 3))).containsExactly(3, 0, 1, 2);
    assertThat(orderOf(CLIENT_SIDE, VIEW.withTransfers(0, 9, 0, 0))).containsExactly(3, 0, 2, 1);
  }

  @Example
  void neverPassesOverTheLocalReplicaForItsNetwork() {
    assertThat(orderOf(CLIENT_SIDE, VIEW.withTransfers(99, 99, 99, 99)))
        .containsExactly(0, 1, 2, 3);
    ArrayReadView localIsFastest = ArrayReadView.replicas(NVME, 0, SSD, 2).withTransfers(99, 0);
    assertThat(orderOf(CLIENT_SIDE, localIsFastest)).containsExactly(0, 1);
    assertThat(reasonOf(CLIENT_SIDE, localIsFastest)).isEqualTo(AccessReason.FASTEST_TIER);
  }

  @Property
  void noSaturatedRemoteNodeIsAskedBeforeOneThatIsNot(@ForAll("views") ArrayReadView view) {
    int[] order = orderOf(CLIENT_SIDE, view);
    boolean sawSaturated = false;
    for (int replica : order) {
      boolean saturated = view.distance(replica) > 0 && view.activeTransfers(replica) >= 4;
      assertThat(sawSaturated && !saturated).as("%s in %s", replica, view).isFalse();
      sawSaturated |= saturated;
    }
  }
}
