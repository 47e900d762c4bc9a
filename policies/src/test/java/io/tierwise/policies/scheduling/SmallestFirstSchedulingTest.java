package io.tierwise.policies.scheduling;

import static io.tierwise.policies.scheduling.Answers.cluster;
import static io.tierwise.policies.scheduling.Answers.jobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Assign;
import io.tierwise.core.work.Application;
import io.tierwise.core.work.Application.Past;
import io.tierwise.core.work.SlotKind;
import java.util.ArrayList;
import java.util.Collections;
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

  /** A job that nobody overtakes any more is not offered a second time, by its size. */
  @Test
  void noJobStandsTwiceInTheOrder() {
    SchedulingPolicy policy = SchedulingPolicies.parse("smallest-first:overtake-seconds=60");
    WorkedCluster cluster = cluster(policy);
    int large = cluster.arrive("q", maps(3), 0, 1000);
    cluster.pass(61_000_000_000L);
    int small = cluster.arrive("q", maps(1), 0, 10);
    JobQueue queue = policy.newQueue(SlotKind.MAP, cluster);
    queue.add(small);
    queue.add(large);
    List<Integer> order = new ArrayList<>();
    queue.inOrder().forEachRemaining((int job) -> order.add(job));
    assertThat(order).containsExactly(large, small);
  }

  private static Application application(String name, double mapSeconds, double reduceSeconds) {
    return new Application(
        name,
        List.of(
            new Past("map", 0, 100, 10, mapSeconds, 0),
            new Past("reduce", 0, 100, 10, reduceSeconds, 0)));
  }

  private static List<List<Integer>> maps(int count) {
    return Collections.nCopies(count, List.of());
  }

  @Test
  void bySecondsTheJobThatNeedsTheFewestSecondsOfSlotsComesFirst() {
    WorkedCluster cluster = cluster(SchedulingPolicies.parse("smallest-first:by=seconds"));
    cluster.know(application("wide", 1, 1));
    cluster.know(application("long", 5, 1));
    cluster.arrive("wide", maps(20), 0, 200);
    int few = cluster.arrive("long", maps(2), 0, 20);

    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0)))).isEqualTo(few);
    int unknown = cluster.arrive("never seen", maps(1), 0, 1_000_000);
    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0)))).isEqualTo(unknown);
  }

  @Test
  void byPathTheJobWithTheShortestChainOfStagesComesFirst() {
    WorkedCluster cluster = cluster(SchedulingPolicies.parse("smallest-first:by=path"));
    cluster.know(application("wide", 1, 1));
    cluster.know(application("long", 5, 1));
    cluster.arrive("long", maps(2), 1, 20);
    int wide = cluster.arrive("wide", maps(20), 1, 200);

    Assign answer = cluster.offer(SlotOffer.toAll(SlotKind.MAP, 0));
    assertThat(jobOf(answer)).isEqualTo(wide);
    assertThat(answer.rule()).startsWith("shortest chain of stages");
  }

  @Test
  void anotherMeasureIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> SchedulingPolicies.parse("smallest-first:by=watts"))
        .hasMessageContaining("watts")
        .hasMessageContaining("path");
    assertThat(SchedulingPolicies.parse("smallest-first:by=bytes").name())
        .isEqualTo("smallest-first");
  }
}
