package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToleranceTest {
  private static final Tolerance TENTH = new Tolerance(Double.NaN, 0.1, "");
  private static final Tolerance TWO = new Tolerance(2, Double.NaN, "");

  @ParameterizedTest
  @CsvSource({
    "20, 21.9, true",
    "20, 22.1, false",
    "-20, -18.5, true",
    "-20, 20, false",
    "<= 20, -300, true",
    "<= 20, 21.9, true",
    "<= 20, 22.1, false",
    ">= 20, 300, true",
    ">= 20, 17.9, false",
    "<= 20, NaN, false",
    "20, NaN, false"
  })
  void aPrintedNumberIsMetWithinTheTolerance(String printed, double ours, boolean accepted) {
    assertThat(TENTH.accepts(Printed.parse(printed), ours)).isEqualTo(accepted);
    assertThat(TWO.accepts(Printed.parse(printed), ours)).isEqualTo(accepted);
  }
}
