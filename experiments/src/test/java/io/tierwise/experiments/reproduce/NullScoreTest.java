package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.report.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NullScoreTest {
  private static final Tolerance TEN = new Tolerance(10, Double.NaN, "");

  private static ExpectedRow row(String metric, String printed, String unit) {
    return new ExpectedRow(new RowKey("figure", "case", metric), Printed.parse(printed), unit, "");
  }

  private static Comparison percent(String printed, double ours, Basis basis) {
    Estimate estimate = new Estimate(ours, 0, 1);
    return new Comparison(row("faster", printed, "%"), TEN, estimate, 0.0, basis, "");
  }

  @ParameterizedTest
  @CsvSource({
    "ratio, '', 1",
    "%, '', 0",
    "kJ, '', ",
    "%, none, ",
    "MB/s, 7, 7",
    "kJ, printed HD, 64"
  })
  void unitsTellWhatNoEffectIs(String unit, String told, Double number) {
    Map<RowKey, Printed> printed = Map.of(row("HD", "64", "kJ").key(), Printed.parse("64"));

    assertThat(NullModel.of(row("SSD", "58", unit), told, printed)).isEqualTo(number);
  }

  @Test
  void aColumnIsNoNullModelOfItself() {
    assertThat(NullModel.of(row("HD", "64", "kJ"), "printed HD", Map.of())).isNull();
  }

  @Test
  void aWordThatSaysNothingIsRefused() {
    ExpectedRow row = row("SSD", "58", "kJ");

    assertThatThrownBy(() -> NullModel.of(row, "printed HDD", Map.of()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("no-effect is printed HDD: the paper prints no HDD there");
    assertThatThrownBy(() -> NullModel.of(row, "much", Map.of()))
        .hasMessageContaining("must be a number, none, or printed METRIC");
  }

  /** Within ten points of 4, 8, 9.5 and 30 percent: no effect passes three of four. */
  @Test
  void tolerancesShrinkUntilNoEffectPassesAQuarter() {
    List<Comparison> rows =
        List.of(
            percent("4", 5, Basis.PREDICTED),
            percent("8", 8, Basis.PREDICTED),
            percent("9.5", 2, Basis.PREDICTED),
            percent("30", 29, Basis.PREDICTED));
    NullScore score = NullScore.of(rows);

    assertThat(score.numbers()).isEqualTo(4);
    assertThat(score.ours()).isEqualTo(4);
    assertThat(score.withoutEffect()).isEqualTo(3);
    // The second of them needs eight points.
    assertThat(score.factor()).isCloseTo(0.8, within(1e-6));
    assertThat(score.nullStrict()).isEqualTo(1);
    assertThat(score.oursStrict()).isEqualTo(4);
    assertThat(score.text())
        .isEqualTo(
            "of 4 that compare, ours reproduces 4 and no effect at all 3;"
                + " at 0.80 times the tolerances 4 and 1");
  }

  @Test
  void boundsThatNoEffectKeepsPassAtAnyTolerance() {
    List<Comparison> rows =
        List.of(percent(">= 0", 3, Basis.PREDICTED), percent("<= 0", -3, Basis.PREDICTED));
    NullScore score = NullScore.of(rows);

    assertThat(score.factor()).isNaN();
    assertThat(score.oursStrict()).isZero();
    assertThat(score.text())
        .isEqualTo(
            "of 2 that compare, ours reproduces 2 and no effect at all 2,"
                + " more than a quarter at any tolerance");
  }

  @Test
  void whatIsCalibratedGivenNotRunOrComparesNothingIsLeftOut() {
    List<Comparison> rows = new ArrayList<>();
    rows.add(percent("50", 50, Basis.CALIBRATED));
    rows.add(percent("50", 50, Basis.GIVEN));
    rows.add(percent("50", 50, Basis.PREDICTED).with(null));
    Estimate five = new Estimate(5, 0, 1);
    rows.add(new Comparison(row("energy", "5", "kJ"), TEN, five, null, Basis.PREDICTED, ""));
    assertThat(NullScore.of(rows).text()).isEmpty();

    rows.add(percent("50", 40, Basis.PREDICTED));
    NullScore score = NullScore.of(rows);
    assertThat(score.numbers()).isEqualTo(1);
    assertThat(score.factor()).isEqualTo(1);
    assertThat(score.text())
        .isEqualTo("of 1 that compare, ours reproduces 1 and no effect at all 0");
  }
}
