package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObservedTimeTest {
  @Test
  void leavesOutLeapsOfTheClock() {
    ObservedTime time = new ObservedTime();
    for (long second : new long[] {0, 100, -5_000, 10_000_000, 10_000_050}) {
      time.at(1_774_000_000_000L + 1000 * second);
    }

    assertThat(time.seconds()).isEqualTo(150);
    assertThat(time.jumps()).isEqualTo(2);
  }
}
