package io.tierwise.policies.scheduling;

import static io.tierwise.policies.scheduling.Answers.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Assign;
import io.tierwise.core.work.Application;
import io.tierwise.core.work.Application.Past;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Task;
import io.tierwise.policies.scheduling.SchedulingProvider.Defaults;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelaySchedulingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final SlotOffer ON_NODE_0 = SlotOffer.toAll(SlotKind.MAP, 0);

  private static List<Nearness> nearnessInTurn(WorkedCluster cluster, int offers) {
    List<Nearness> given = new ArrayList<>();
    for (int i = 0; i < offers; i++) {
      if (cluster.offer(ON_NODE_0) instanceof Assign.Given answer) {
        given.add(answer.nearness());
      }
    }
    return given;
  }

  @Test
  void nearTasksGoFirstAndFarOnesOnlyWhenTheJobHasWaitedLongEnough() {
    WorkedCluster cluster = new WorkedCluster(policy("fifo:delay-seconds=5"), 9, random());
    cluster.arrive("q", List.of(List.of(9), List.of(1), List.of(), List.of(0)), 0, 0);

    assertThat(nearnessInTurn(cluster, 3)).containsExactly(Nearness.ON_NODE, Nearness.UNPLACED);
    cluster.pass(5 * SECOND - 1);
    assertThat(nearnessInTurn(cluster, 1)).isEmpty();
    cluster.pass(1);
    assertThat(nearnessInTurn(cluster, 3)).containsExactly(Nearness.IN_RACK, Nearness.ANYWHERE);
  }

  private static SchedulingPolicy policy(String text) {
    return SchedulingPolicies.parse(text);
  }

  private static java.util.random.RandomGenerator random() {
    return new java.util.SplittableRandom(5);
  }

  @Test
  void aJobThatWaitsForItsDataLetsTheNextOnePass() {
    WorkedCluster cluster = cluster(policy("fifo"));
    cluster.arrive("q", List.of(List.of(9)), 0, 0);
    int near = cluster.arrive("q", List.of(List.of(0)), 0, 0);

    assertThat(Answers.jobOf(cluster.offer(ON_NODE_0))).isEqualTo(near);
  }

  @Test
  void settingsThatATextLeavesOutAreTheHosts() {
    Defaults host = new Defaults(20 * SECOND, new SecondAttempts(1.5));

    assertThat(SchedulingPolicies.parse("fair", host).patienceNanos()).isEqualTo(20 * SECOND);
    assertThat(SchedulingPolicies.parse("fair:delay-seconds=0.25,late-factor=0", host))
        .isEqualTo(new DelayScheduling(new FairOrder(), SECOND / 4, SecondAttempts.NEVER));
    assertThat(policy("fair:late-factor=2,delay-seconds=1").name())
        .isEqualTo("fair:delay-seconds=1,late-factor=2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fair:delay-seconds=3600 | fair:delay-seconds=3600",
        "fifo:late-factor=1,delay-seconds=0 | fifo:delay-seconds=0,late-factor=1",
        "fifo:near-first=false,delay-seconds=0 | fifo:delay-seconds=0,near-first=false",
        "fair:near-first=true | fair",
        "capacity:near-first=false,etl=5 | capacity:etl=5,near-first=false",
        "capacity:etl=60/75,adhoc=20 | capacity:etl=60/75,adhoc=20",
        "capacity:etl=60/100 | capacity:etl=60",
        "capacity:late-factor=1.25,etl=5 | capacity:etl=5,late-factor=1.25",
        "smallest-first:by=path,overtake-seconds=0 | smallest-first:overtake-seconds=0,by=path",
        "smallest-first:overtake-seconds=600,by=bytes | smallest-first",
      })
  void aTextIsWrittenInOneFormAndReadBackAsTheSamePolicy(String text, String written) {
    assertThat(policy(text).name()).isEqualTo(written);
    assertThat(policy(written)).isEqualTo(policy(text));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 500_000, 1_234_567_891, 3_600 * SECOND - 1})
  void aHostsDelayIsReadBackToTheNanosecond(long nanos) {
    Defaults host = new Defaults(nanos, SecondAttempts.NEVER);
    String name = SchedulingPolicies.parse("fifo", host).name();

    assertThat(policy(name).patienceNanos()).as(name).isEqualTo(nanos);
    assertThat(policy(name).name()).isEqualTo(name);
  }

  @Test
  void aTaskIsLateWhenItTookSoManyTimesTheMeanOfThoseThatAreDone() {
    SchedulingPolicy policy = policy("fifo:late-factor=1.5");
    WorkedCluster cluster = cluster(policy);
    int job = cluster.arrive("q", List.of(List.of(), List.of()), 0, 0);
    assertThat(policy.lateAfterSeconds(new Task(job, 0, 0), cluster)).isInfinite();

    cluster.offerAll();
    cluster.endOne();
    assertThat(policy.lateAfterSeconds(new Task(job, 0, 0), cluster)).isEqualTo(15);
    assertThat(policy("fifo").lateAfterSeconds(new Task(job, 0, 0), cluster)).isInfinite();
  }

  @Test
  void beforeATaskIsDoneThePastOfItsStageTellsWhenOneIsLate() {
    SchedulingPolicy policy = policy("fifo:late-factor=1.5");
    WorkedCluster cluster = cluster(policy);
    cluster.know(new Application("q", List.of(new Past("map", 0, 100, 0, 10, 0))));
    int job = cluster.arrive("q", List.of(List.of(), List.of()), 1, 0);

    assertThat(policy.lateAfterSeconds(new Task(job, 0, 1), cluster)).isEqualTo(15);
    assertThat(policy.lateAfterSeconds(new Task(job, 1, 0), cluster)).isInfinite();
  }

  @Test
  void badTextsAreRefusedWithTheKnownNamesOrTheAllowedValues() {
    assertThatThrownBy(() -> policy("lottery"))
        .hasMessageContaining("unknown scheduling policy \"lottery\"; known: fifo, fair, capacity");
    assertThatThrownBy(() -> policy("fifo:late-factor=0.5")).hasMessageContaining("late-factor");
    assertThatThrownBy(() -> policy("fair:queue=7")).hasMessageContaining("queue");
    assertThatThrownBy(() -> policy("fair:delay-seconds=4000")).hasMessageContaining("0 to 3600");
  }
}
