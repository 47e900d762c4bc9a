package io.tierwise.policies.scheduling;

import static io.tierwise.policies.scheduling.Answers.cluster;
import static io.tierwise.policies.scheduling.Answers.jobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.work.SlotKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallestFirstSchedulingTest extends SchedulingContract {
  @Override
  protected SchedulingPolicy policy() {
    return SchedulingPolicies.parse("smallest-first");
  }

  @Test
  void theSmallestJobComesFirstUntilAnotherOneWasOvertakenForTooLong() {
    WorkedCluster cluster = cluster(SchedulingPolicies.parse("smallest-first:overtake-seconds=60"));
    List<List<Integer>> three = List.of(List.of(), List.of(), List.of());
    int large = cluster.arrive("q", three, 0, 1000);
    cluster.pass(50_000_000_000L);
    int middle = cluster.arrive("q", three, 0, 100);
    int small = cluster.arrive("q", List.of(List.of()), 0, 10);

    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0)))).isEqualTo(small);
    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0)))).isEqualTo(middle);
    cluster.pass(11_000_000_000L);
    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 1)))).isEqualTo(large);
  }
}
