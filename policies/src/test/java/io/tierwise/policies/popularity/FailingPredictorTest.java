package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.movement.PopularityDecisions;
import org.junit.jupiter.api.Test;

/** Predictors of another jar: which of several failed is in the one line that people see. */
class FailingPredictorTest {
  /** Throws what it is made of; {@code null} for an error of the virtual machine. */
  private record Failing(RuntimeException planted) implements PopularityPredictor {
    @Override
    public String name() {
      return "planted:size=3";
    }

    @Override
    public void predict(UseWindow window, PopularityState state, double[] predicted) {
      if (planted == null) {
        throw new NoSuchMethodError("gone");
      }
      throw planted;
    }

    @Override
    public double min() {
      return 0;
    }

    @Override
    public double max() {
      return 1;
    }
  }

  private static void decide(RuntimeException planted) {
    new PopularityDecisions(new Failing(planted), new DecisionEngine(false, 0))
        .decide(new UseWindow(0), new PopularityState(), new long[0], null);
  }

  @Test
  void oneThatFailsIsNamed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> decide(null))
        .withMessage(
            "popularity predictor planted:size=3 failed: java.lang.NoSuchMethodError: gone");
    assertThatIllegalStateException()
        .isThrownBy(() -> decide(new ArithmeticException("/ by zero")))
        .withMessageContaining("planted:size=3 failed: java.lang.ArithmeticException");
  }

  @Test
  void oneThatNeedsMoreSaysSoInItsOwnWords() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> decide(new IllegalArgumentException("it needs reads of days")))
        .withMessage("it needs reads of days");
  }
}
