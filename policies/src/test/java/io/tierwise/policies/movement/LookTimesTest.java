package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookTimesTest {
  private static final long MILLI = 1_000_000L;

  private final LookTimes times = new LookTimes();

  @Test
  void looksComeEverLessOftenUntilTwoSecondsApart() {
    times.moved(0, 0);
    List<Long> gaps = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < 9; i++) {
      gaps.add((times.nextNanos() - before) / MILLI);
      before = times.nextNanos();
      times.looked(before);
    }
    assertThat(gaps).containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1_280L, 2_000L, 2_000L);
  }

  @Test
  void movesThatFollowEachOtherCloselyShareALook() {
    for (int move = 0; move < 3; move++) {
      times.moved(10L * move * MILLI, 0);
    }
    assertThat(times.nextNanos()).isEqualTo(40 * MILLI);
  }

  /** When looks come, in milliseconds, while a move is made each so many. */
  private List<Long> looksBesideMoves(long everyMillis, long untilMillis) {
    List<Long> looks = new ArrayList<>();
    for (long now = 0; now < untilMillis; now += everyMillis) {
      if (now > 0 && times.nextNanos() <= now * MILLI) {
        looks.add(now);
        times.looked(now * MILLI);
      }
      times.moved(now * MILLI, 100);
    }
    return looks;
  }

  @Test
  void movesThatGoOnPutALookOffByHalfASecondAndNoMore() {
    assertThat(looksBesideMoves(5, 2_000)).containsExactly(500L, 1_000L, 1_500L);
  }

  @Test
  void movesThatGoOnSlowlyPutALookOffUntilManyWaitForIt() {
    assertThat(looksBesideMoves(10, 2_000)).containsExactly(640L, 1_280L, 1_920L);
  }

  @Test
  void fewMovesPutALookOffByTwoSecondsAndNoMore() {
    assertThat(looksBesideMoves(100, 5_000)).containsExactly(2_000L, 4_000L);
  }

  @Test
  void afterALookTheNextMoveBringsTheNextOneCloser() {
    times.moved(0, 0);
    for (int i = 0; i < 6; i++) {
      times.looked(times.nextNanos());
    }
    times.moved(1_300 * MILLI, 0);
    assertThat(times.nextNanos()).isEqualTo(1_320 * MILLI);
  }

  @Test
  void aLongFileIsAskedAboutLessOften() {
    assertThat(LookTimes.firstNanos(1)).isEqualTo(21 * MILLI);
    assertThat(LookTimes.firstNanos(100)).isEqualTo(120 * MILLI);
    assertThat(LookTimes.firstNanos(5_000)).isEqualTo(520 * MILLI);
    assertThat(LookTimes.firstNanos(100_000)).isEqualTo(5_020 * MILLI);
    times.moved(0, 100_000);
    long first = times.nextNanos();
    times.looked(first);
    assertThat(times.nextNanos()).isEqualTo(2 * first);
  }

  @Test
  void aLookAtAFileOfVeryManyBlocksIsPutOffByItsOwnTimeAtMost() {
    times.moved(0, 100_000);
    times.moved(4_000 * MILLI, 100_000);
    assertThat(times.nextNanos()).isEqualTo(5_020 * MILLI);
  }
}
