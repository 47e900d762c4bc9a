package io.tierwise.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimateTest {
  /** Source: any table of Student's t, two-sided 95%. */
  @ParameterizedTest
  @CsvSource({
    "1, 12.706",
    "2, 4.303",
    "9, 2.262",
    "11, 2.201",
    "20, 2.086",
    "60, 2.000",
    "1000, 1.962"
  })
  void theQuantileIsThatOfTheTables(int degreesOfFreedom, double expected) {
    assertThat(Estimate.quantile(degreesOfFreedom)).isCloseTo(expected, within(6e-4));
  }

  @Test
  void anIntervalIsTheQuantileTimesTheStandardError() {
    Estimate estimate = Estimate.of(9, 10, 11);
    assertThat(estimate.mean()).isEqualTo(10);
    assertThat(estimate.halfWidth()).isCloseTo(4.30265273 / Math.sqrt(3), within(1e-9));
    assertThat(estimate.relativeHalfWidth()).isCloseTo(0.24841, within(1e-5));
  }

  @Test
  void oneRunHasNoInterval() {
    assertThat(Estimate.of(7)).isEqualTo(new Estimate(7, Double.NaN, 1));
    assertThat(Estimate.of(Double.NaN, 1).mean()).isNaN();
  }

  @Test
  void theIntervalHoldsTheTrueMeanInAboutNineteenOfTwentyCases() {
    SplittableRandom random = new SplittableRandom(1);
    int held = 0;
    int tries = 4000;
    for (int i = 0; i < tries; i++) {
      double[] values = new double[5];
      for (int j = 0; j < values.length; j++) {
        values[j] = random.nextGaussian();
      }
      Estimate estimate = Estimate.of(values);
      held += Math.abs(estimate.mean()) <= estimate.halfWidth() ? 1 : 0;
    }
    assertThat(held / (double) tries).isBetween(0.94, 0.96);
  }
}
