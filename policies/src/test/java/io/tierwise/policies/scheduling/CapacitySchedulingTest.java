package io.tierwise.policies.scheduling;

import static io.tierwise.policies.scheduling.Answers.cluster;
import static io.tierwise.policies.scheduling.Answers.jobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Assign;
import io.tierwise.core.action.Assign.Again;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacitySchedulingTest extends SchedulingContract {
  @Override
  protected SchedulingPolicy policy() {
    return SchedulingPolicies.parse("capacity");
  }

  @Test
  void queuesGetTasksByTheirShares() {
    WorkedCluster cluster = cluster(SchedulingPolicies.parse("capacity:etl=60,adhoc=20"));
    List<List<Integer>> many = Collections.nCopies(20, List.of());
    int etl = cluster.arrive("etl", many, 0, 0);
    int adhoc = cluster.arrive("adhoc", many, 0, 0);
    int other = cluster.arrive("other", many, 0, 0);
    for (int node = 0; node < 10; node++) {
      cluster.offer(SlotOffer.toAll(SlotKind.MAP, node));
    }

    assertThat(cluster.running(etl)).isEqualTo(6);
    assertThat(cluster.running(adhoc)).isEqualTo(2);
    assertThat(cluster.running(other)).isEqualTo(2);
  }

  @Test
  void aQueueAtItsCeilingGetsNothingAlthoughNobodyElseWantsTheSlot() {
    // 12 nodes with 2 map and 2 reduce slots each: a quarter of 48 is 12.
    WorkedCluster cluster = cluster(SchedulingPolicies.parse("capacity:etl=10/25"));
    int etl = cluster.arrive("etl", Collections.nCopies(30, List.of()), 0, 0);
    cluster.offerAll();
    assertThat(cluster.running(etl)).isEqualTo(12);

    Assign answer = cluster.ask(SlotOffer.toAll(SlotKind.MAP, 11));
    assertThat(answer).isInstanceOf(Assign.Refused.class);
    assertThat(((Assign.Refused) answer).again()).isEqualTo(Again.AFTER_ANY_CHANGE);
    assertThat(answer.describe(cluster)).contains("ceiling");
    Assign forIt = cluster.ask(new SlotOffer(SlotKind.MAP, 11, etl, Nearness.ANYWHERE));
    assertThat(forIt).isInstanceOf(Assign.Refused.class);

    int other = cluster.arrive("other", List.of(List.of()), 0, 0);
    assertThat(jobOf(cluster.offer(SlotOffer.toAll(SlotKind.MAP, 11)))).isEqualTo(other);
    assertThat(jobOf(cluster.offer(cluster.endOne()))).isEqualTo(etl);
  }

  /** Of a small cluster a small share is no slot at all, and the queue would wait for ever. */
  @Test
  void aCeilingOfLessThanASlotIsASlot() {
    WorkedCluster cluster = cluster(SchedulingPolicies.parse("capacity:etl=1/1"));
    int etl = cluster.arrive("etl", Collections.nCopies(3, List.of()), 0, 0);
    cluster.offerAll();
    assertThat(cluster.running(etl)).isOne();
  }

  @Test
  void jobsOfQueuesWithTheSameLoadComeInTheOrderInWhichTheyWereSubmitted() {
    SchedulingPolicy capacity = SchedulingPolicies.parse("capacity");
    WorkedCluster cluster = cluster(capacity);
    JobQueue queue = capacity.newQueue(SlotKind.MAP, cluster);
    List<Integer> submitted = new ArrayList<>();
    for (String name : List.of("one", "two", "two", "three", "one", "three", "two")) {
      int job = cluster.arrive(name, List.of(List.of()), 0, 0);
      queue.add(job);
      submitted.add(job);
    }
    List<Integer> inOrder = new ArrayList<>();
    queue.inOrder().forEachRemaining((int job) -> inOrder.add(job));
    assertThat(inOrder).isEqualTo(submitted);
  }

  @Test
  void aQueueAtItsCeilingIsHeldBackAlsoWhereAnotherOneWaits() {
    SchedulingPolicy capacity = SchedulingPolicies.parse("capacity:etl=10/25");
    WorkedCluster cluster = cluster(capacity);
    int etl = cluster.arrive("etl", Collections.nCopies(30, List.of()), 0, 0);
    cluster.offerAll();
    int other = cluster.arrive("other", List.of(List.of()), 0, 0);
    JobQueue queue = capacity.newQueue(SlotKind.MAP, cluster);
    queue.add(other);
    assertThat(queue.holdsBack()).isFalse();
    queue.add(etl);
    assertThat(queue.holdsBack()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "capacity:etl=60,adhoc=50",
        "capacity:etl=0",
        "capacity:etl=60/50",
        "capacity:etl=60/101",
        "capacity:etl=much",
        "capacity:60"
      })
  void badSharesAreRefusedInOneLineThatNamesThem(String text) {
    assertThatThrownBy(() -> SchedulingPolicies.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("capacity")
        .containsAnyOf("etl", "60", "110")
        .doesNotContain("\n");
  }
}
