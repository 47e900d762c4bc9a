package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulaTest {
  private static final Map<String, List<String>> SETS =
      Map.of("apps", List.of("grep", "sort", "x"));
  private static final Map<String, Double> FIGURES =
      Map.of("slow-grep s", 20.0, "slow-sort s", 90.0, "slow-x s", 5.0, "fast s", 10.0);

  private static double evaluate(String formula) {
    return Formula.evaluate(
        formula, SETS, (run, figure) -> FIGURES.getOrDefault(run + " " + figure, Double.NaN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 + 2 * 3 | 7",
        "(1 + 2) * 3 | 9",
        "8 / 2 / 2 | 2",
        "-2 - -3 | 1",
        "[slow-grep s] / [fast s] | 2",
        "100 * ([slow-grep s] / [fast s] - 1) | 100",
        "mean{apps}([slow-{apps} s] / [fast s]) | 3.8333333333333335",
        "largest:2{apps}([slow-{apps} s]) | 20",
        "max{apps}(abs([slow-{apps} s] - 50)) | 45",
        "min(3, 2, 4) + sum(1, 1) | 4"
      })
  void valuesFollowTheUsualRules(String formula, double value) {
    assertThat(evaluate(formula)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 +",
        "(1",
        "[run]",
        "median(1, 2)",
        "mean{nodes}(1)",
        "1 2",
        "largest:4{apps}(1)",
        "mean{apps}(1"
      })
  void whatIsNoFormulaIsNamed(String formula) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> evaluate(formula))
        .withMessageContaining(formula);
  }

  @Test
  void aNumberThatARunLacksMakesTheValueNoNumber() {
    assertThat(evaluate("[fast s] / [slow-grep joules]")).isNaN();
  }
}
