package io.tierwise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunProgressTest {
  @Test
  void durationsAreMinutesOrHours() {
    assertThat(RunProgress.duration(61.4)).isEqualTo("1:01");
    assertThat(RunProgress.duration(3661)).isEqualTo("1:01:01");
  }
}
