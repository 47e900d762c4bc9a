package io.tierwise.core.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobTest {
  private static final Application QUERY = Application.named("query");

  private static Stage stage(String name, int tasks, int slots, Seconds task, Integer... after) {
    return new Stage(
        name,
        SlotKind.MAP,
        tasks,
        List.of(after),
        new Demand(slots, 0, 3, 2, 1, List.of(Seconds.UNKNOWN, task)));
  }

  private static Seconds exactly(double seconds) {
    return new Seconds(seconds, seconds, seconds);
  }

  private static Job job(Stage... stages) {
    return new Job(0, "j", QUERY, 0, List.of(stages));
  }

  @Test
  void secondsOfSlotsAreSummedAndThoseOfAPathFollowTheEdges() {
    Job diamond =
        job(
            stage("scan", 4, 4, exactly(10)),
            stage("left", 2, 1, exactly(5), 0),
            stage("right", 1, 1, exactly(7), 0),
            stage("join", 1, 1, exactly(1), 1, 2));

    assertThat(diamond.slotSeconds()).isEqualTo(4 * 10 + 2 * 5 + 7 + 1);
    assertThat(diamond.pathSeconds()).as("left has two waves").isEqualTo(10 + 2 * 5 + 1);
    assertThat(diamond.totalBytes()).isEqualTo(4 * 6);
  }

  @Test
  void errorsOfManyTasksMakeUpForEachOther() {
    Seconds task = new Seconds(5, 10, 15);

    assertThat(job(stage("one", 1, 1, task)).slotSeconds()).isEqualTo(15);
    assertThat(job(stage("many", 100, 100, task)).slotSeconds())
        .isCloseTo(100 * 10 + 10 * 5, within(1e-9));
  }

  @Test
  void aTaskIsTimedOnTheKindOfNodeThatEndsItFirst() {
    Demand demand =
        new Demand(1, 0, 0, 0, 0, List.of(exactly(9), Seconds.UNKNOWN, new Seconds(1, 4, 20)));
    assertThat(demand.soonest().likely()).isEqualTo(4);
    assertThat(new Demand(1, 0, 0, 0, 0).soonest().known()).isFalse();
  }

  @Test
  void memoryIsThatOfOneTaskInSuchASlot() {
    Stage maps = new Stage("map", SlotKind.MAP, 4, List.of(), new Demand(4, 512, 9, 9, 9));
    Stage reduces =
        new Stage("reduce", SlotKind.REDUCE, 1, List.of(0), new Demand(1, 2048, 0, 0, 0));

    assertThat(job(maps, reduces).taskMemoryBytes(SlotKind.MAP)).isEqualTo(512);
    assertThat(job(maps, reduces).taskMemoryBytes(SlotKind.REDUCE)).isEqualTo(2048);
    assertThat(job(maps).taskMemoryBytes(SlotKind.REDUCE)).isZero();
    assertThat(job(maps, reduces).totalBytes()).as("memory does not move").isEqualTo(27);
    assertThatThrownBy(() -> new Demand(1, -1, 0, 0, 0)).hasMessageContaining("-1 bytes of memory");
  }

  @Test
  void ofSeveralStagesOfAKindTheOneWithTheMostMemoryCounts() {
    Stage large = new Stage("large", SlotKind.MAP, 1, List.of(), new Demand(1, 2048, 0, 0, 0));
    Stage small = new Stage("small", SlotKind.MAP, 1, List.of(), new Demand(1, 512, 0, 0, 0));

    assertThat(job(large, small).taskMemoryBytes(SlotKind.MAP)).isEqualTo(2048);
    assertThat(job(small, large).taskMemoryBytes(SlotKind.MAP)).isEqualTo(2048);
  }

  @Test
  void oneUnknownStageMakesTheWholeUnknown() {
    Job job = job(stage("known", 1, 1, exactly(1)), stage("new", 1, 1, Seconds.UNKNOWN, 0));

    assertThat(job.slotSeconds()).isNaN();
    assertThat(job.pathSeconds()).isNaN();
    assertThat(job(stage("empty", 0, 1, Seconds.UNKNOWN)).slotSeconds()).isZero();
  }

  @Test
  void aStageThatWaitsForItselfIsNamed() {
    assertThatThrownBy(() -> job(stage("a", 1, 1, exactly(1), 1), stage("b", 1, 1, exactly(1), 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stage a is number 0 and comes after number 1");
    assertThatThrownBy(() -> job(stage("a", 1, 1, exactly(1), 0)))
        .hasMessageContaining("stage a is number 0 and comes after number 0");
    assertThatThrownBy(() -> stage("a", -1, 1, exactly(1))).hasMessageContaining("has -1 tasks");
    assertThatThrownBy(() -> new Demand(1, 0, -1, 0, 0)).hasMessageContaining("negative");
  }
}
