package io.tierwise.core.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.work.Application.Past;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationTest {
  private static final Application SORT =
      new Application(
          "sort",
          List.of(new Past("map", 0, 4, 100, 10, 2), new Past("map", 1, 1, 100, 30, Double.NaN)));

  @Test
  void timeGrowsWithBytesAndItsIntervalWithThem() {
    Seconds same = SORT.taskSeconds("map", 0, 100);
    Seconds twice = SORT.taskSeconds("map", 0, 200);

    assertThat(same.likely()).isEqualTo(10);
    double off = 1.96 * 2 * Math.sqrt(1.25);
    assertThat(same.low()).isCloseTo(10 - off, within(1e-9));
    assertThat(same.high()).isCloseTo(10 + off, within(1e-9));
    assertThat(twice.likely()).isEqualTo(20);
    assertThat(twice.high()).isCloseTo(20 + 2 * off, within(1e-9));
  }

  @Test
  void oneTaskTellsLittleAndNoTaskNothing() {
    Seconds one = SORT.taskSeconds("map", 1, 100);
    assertThat(one.low()).isZero();
    assertThat(one.high()).isGreaterThan(2 * one.likely());

    assertThat(SORT.taskSeconds("map", 2, 100).known()).isFalse();
    assertThat(SORT.taskSeconds("reduce", 0, 100).known()).isFalse();
    assertThat(Application.named("grep").taskSeconds("map", 0, 100)).isEqualTo(Seconds.UNKNOWN);
  }

  @Test
  void withoutBytesTheMeanCounts() {
    assertThat(SORT.taskSeconds("map", 0, 0).likely()).isEqualTo(10);
  }

  @Test
  void aPastWithoutTasksAndAnIntervalWithoutOrderAreRefused() {
    assertThatThrownBy(() -> new Past("map", 0, 0, 1, 1, 1))
        .hasMessageContaining("map has 0 tasks");
    assertThatThrownBy(() -> new Seconds(2, 1, 3)).hasMessageContaining("has no order");
    assertThatThrownBy(() -> new Seconds(-1, 1, 3)).hasMessageContaining("has no order");
  }
}
