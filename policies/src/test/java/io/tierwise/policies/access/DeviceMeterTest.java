package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeviceMeterTest {
  private static final long THEN = 10_000;
  private static final long NOW = 19_000;

  /** Who is left out is left out from then on: what the others said before has its time. */
  @Test
  void aLieBetweenTwoReadsOfOneTimeDoesNotMakeThemTwoTimes() {
    DeviceMeter meter = new DeviceMeter();
    meter.add(1, 0.4, 1_000, THEN, THEN);
    meter.add(9, 0, 9_000, NOW, NOW);
    meter.add(2, 0.4, 1_000, THEN, NOW);
    assertThat(meter.share(0, NOW)).as("of all").isLessThan(0.2);
    assertThat(meter.verdict(0.5, 0, NOW)).isEqualTo(DeviceMeter.Verdict.NOT_SLOW);
  }

  /** Handlers of the NameNode take calls in any order. */
  @Test
  void timeThatWasCountedAsBusyIsCountedOnceThoughAnEarlierReadIsHeardBetween() {
    DeviceMeter meter = new DeviceMeter();
    meter.add(1, 5, 10_000, NOW, NOW);
    meter.add(2, 0.5, 1_000, THEN, NOW);
    meter.add(3, 4.5, 5_000, NOW, NOW);
    assertThat(meter.share(0, NOW)).isOne();
  }
}
