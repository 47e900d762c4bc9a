package io.tierwise.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalCountsTest {
  private final RefusalCounts counts = new RefusalCounts();
  private final RefusalCounts others = new RefusalCounts();

  /** Whatever was met last: the same cluster gives the same reason. */
  @Test
  void ofEquallyCommonRefusalsTheFirstIsTold() {
    counts.note(Refusal.OVERLOADED);
    others.note(Refusal.DEAD);
    Refusal told = counts.commonestWith(others);
    assertThat(others.commonestWith(counts)).isEqualTo(told);
    assertThat(told.compareTo(Refusal.OVERLOADED)).isNotPositive();
    assertThat(told.compareTo(Refusal.DEAD)).isNotPositive();
  }

  @Test
  void bothAreCountedTogether() {
    counts.note(Refusal.OVERLOADED);
    counts.note(Refusal.DEAD);
    others.note(Refusal.OVERLOADED);
    assertThat(counts.commonestWith(others)).isEqualTo(Refusal.OVERLOADED);
    counts.clear();
    assertThat(counts.commonestWith(new RefusalCounts())).isEqualTo(Refusal.NONE);
  }
}
