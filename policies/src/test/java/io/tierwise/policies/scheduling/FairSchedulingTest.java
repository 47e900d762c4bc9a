package io.tierwise.policies.scheduling;

import static io.tierwise.policies.scheduling.Answers.cluster;
import static io.tierwise.policies.scheduling.Answers.jobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.work.SlotKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairSchedulingTest extends SchedulingContract {
  @Override
  protected SchedulingPolicy policy() {
    return SchedulingPolicies.parse("fair");
  }

  @Test
  void theJobWithTheFewestRunningTasksComesFirst() {
    WorkedCluster cluster = cluster(policy());
    List<List<Integer>> three = List.of(List.of(), List.of(), List.of());
    int first = cluster.arrive("q", three, 0, 0);
    int second = cluster.arrive("q", three, 0, 0);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      order.add(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, i))));
    }

    assertThat(order).containsExactly(first, second, first, second);
  }
}
