package io.tierwise.policies.scheduling;

import static io.tierwise.policies.scheduling.Answers.cluster;
import static io.tierwise.policies.scheduling.Answers.jobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.work.SlotKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class FifoSchedulingTest extends SchedulingContract {
  @Override
  protected SchedulingPolicy policy() {
    return SchedulingPolicies.parse("fifo");
  }

  @Test
  void theJobThatWasSubmittedFirstComesFirstAlsoWhenItWaitsAnew() {
    WorkedCluster cluster = cluster(policy());
    int first = cluster.arrive("q", List.of(List.of()), 1, 0);
    int second = cluster.arrive("q", List.of(List.of(), List.of()), 0, 0);

    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0)))).isEqualTo(first);
    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0)))).isEqualTo(second);
    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.REDUCE, 0)))).isEqualTo(first);
  }
}
