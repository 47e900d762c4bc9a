package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlStatusTest {
  private static String text(long rounds) {
    Control.Told told = new Control.Told("nn1", "ann", "t", "now", "ppa", rounds, null, null);
    return new Control.Status(Control.State.RUNNING, null, null, told).text();
  }

  @Test
  void itsRoundsAreCounted() {
    assertThat(text(1)).isEqualTo("running (nn1 as ann, seen now, 1 round)");
    assertThat(text(12)).isEqualTo("running (nn1 as ann, seen now, 12 rounds)");
  }
}
