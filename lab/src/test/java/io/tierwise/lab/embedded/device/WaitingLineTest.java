package io.tierwise.lab.embedded.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingLineTest {
  private static final long SECOND = 1_000_000_000L;

  private final WaitingLine line = new WaitingLine();
  private final long later = System.nanoTime() + 100 * SECOND;

  @Test
  void requestsAreServedOneAfterTheOther() {
    assertThat(line.book(1, later)).isEqualTo(later + SECOND);
    assertThat(line.book(2, later)).isEqualTo(later + 3 * SECOND);
  }

  @Test
  void anIdleLineBeginsWhenItIsAllowedTo() {
    line.book(1, later);

    assertThat(line.book(1, later + 10 * SECOND)).isEqualTo(later + 11 * SECOND);
  }

  @Test
  void timeThatWasBookedIsNotGivenAwayAgain() {
    long end = line.book(5, later);

    assertThat(line.book(1, later - 50 * SECOND)).isEqualTo(end + SECOND);
  }
}
