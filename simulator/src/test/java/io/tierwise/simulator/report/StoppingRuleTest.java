package io.tierwise.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.simulator.measure.RunResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoppingRuleTest {
  private static List<RunResult> runs(double... makespans) {
    return Sample.runs("x", makespans).runs();
  }

  @Test
  void aFixedCountIsWaitedFor() {
    assertThat(StoppingRule.exactly(3).enough(runs(1, 1))).isZero();
    assertThat(StoppingRule.exactly(3).enough(runs(1, 2, 9))).isEqualTo(3);
  }

  @Test
  void runsGoOnUntilTheIntervalIsNarrow() {
    StoppingRule rule = new StoppingRule(3, 10, 0.05);
    assertThat(rule.enough(runs(100, 100))).isZero();
    assertThat(rule.enough(runs(100, 100.1, 99.9))).isEqualTo(3);
    assertThat(rule.enough(runs(100, 150, 50))).isZero();
    assertThat(rule.enough(runs(100, 150, 50, 90, 110, 70, 130, 99, 101, 100))).isEqualTo(10);
  }

  @Test
  void laterRunsDoNotChangeWhereItStopped() {
    StoppingRule rule = new StoppingRule(2, 10, 0.05);
    assertThat(rule.enough(runs(100, 100.1, 200, 300))).isEqualTo(2);
  }

  @Test
  void anInterruptedRunIsTheLast() {
    List<RunResult> runs = List.of(Sample.run(1, 5, true), Sample.run(2, 2, false));
    assertThat(new StoppingRule(2, 9, 0.01).enough(runs)).isEqualTo(2);
  }

  @Test
  void aRuleThatCannotEndIsRefused() {
    assertThatThrownBy(() -> new StoppingRule(3, 2, 0.1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StoppingRule(1, 2, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
