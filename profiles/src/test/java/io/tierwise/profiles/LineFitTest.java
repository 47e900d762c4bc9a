package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Lines and their intervals. */
class LineFitTest {
  private static LineFit of(double... pairs) {
    LineFit fit = new LineFit();
    for (int i = 0; i < pairs.length; i += 2) {
      fit.add(pairs[i], pairs[i + 1]);
    }
    return fit;
  }

  @Test
  void oneRunIsScaledInProportion() {
    assertThat(of(1e9, 40).at(2.5e9)).isEqualTo(new Estimate(100, null, null));
    assertThat(of(0, 40).at(1e9)).isEqualTo(new Estimate(40, null, null));
  }

  @Test
  void twoRunsMakeALineWithoutInterval() {
    assertThat(of(1e9, 20, 3e9, 40).at(2e9)).isEqualTo(new Estimate(30, null, null));
  }

  @Test
  void pointsOnALineHaveNoScatter() {
    Estimate estimate = of(1e9, 15, 2e9, 25, 4e9, 45).at(8e9);

    assertThat(estimate.expected()).isCloseTo(85, within(1e-6));
    assertThat(estimate.high() - estimate.low()).isCloseTo(0, within(1e-3));
  }

  /** The figures of a textbook: x 1 to 5, y 2, 4, 5, 4, 5; s^2 = 0.8, Sxx = 10. */
  @Test
  void theIntervalIsThatOfLeastSquares() {
    Estimate estimate = of(1, 2, 2, 4, 3, 5, 4, 4, 5, 5).at(6);

    double half = 2.353 * Math.sqrt(0.8 * (1 + 0.2 + 9.0 / 10));
    assertThat(estimate.expected()).isCloseTo(5.8, within(1e-9));
    assertThat(estimate.low()).isCloseTo(5.8 - half, within(1e-9));
    assertThat(estimate.high()).isCloseTo(5.8 + half, within(1e-9));
  }

  @Test
  void runsOfOneSizeScatterAroundTheirMean() {
    Estimate estimate = of(1e9, 10, 1e9, 12, 1e9, 14).at(2e9);

    double half = 2 * 2.920 * Math.sqrt(4 * (1 + 1.0 / 3));
    assertThat(estimate.expected()).isCloseTo(24, within(1e-9));
    assertThat(estimate.high()).isCloseTo(24 + half, within(1e-9));
  }

  @Test
  void nothingIsBelowZero() {
    Estimate estimate = of(1e9, 10, 2e9, 20, 3e9, 33).at(0);

    assertThat(estimate.expected()).isZero();
    assertThat(estimate.low()).isZero();
    assertThat(estimate.high()).isPositive();
  }

  /** Nine of ten, as promised, and also from a few runs. */
  @Test
  void nineRunsOfTenFallIntoTheInterval() {
    SplittableRandom random = new SplittableRandom(7);
    int inside = 0;
    int tries = 4000;
    for (int i = 0; i < tries; i++) {
      LineFit fit = new LineFit();
      for (int run = 0; run < 6; run++) {
        double x = random.nextDouble(1e9, 9e9);
        fit.add(x, 30 + x / 1e8 + 5 * random.nextGaussian());
      }
      double x = random.nextDouble(1e9, 9e9);
      double y = 30 + x / 1e8 + 5 * random.nextGaussian();
      Estimate estimate = fit.at(x);
      inside += y >= estimate.low() && y <= estimate.high() ? 1 : 0;
    }

    assertThat(inside / (double) tries).isCloseTo(0.9, within(0.02));
  }

  @Test
  void studentGoesOnBehindTheTable() {
    assertThat(LineFit.student(30)).isEqualTo(1.697);
    assertThat(LineFit.student(40)).isCloseTo(1.684, within(0.001));
    assertThat(LineFit.student(1_000_000)).isCloseTo(1.645, within(0.001));
  }
}
