package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePlanTest {
  @ParameterizedTest
  @CsvSource({"1, 10", "9, 10", "10, 10", "2, 2"})
  void whatOneMergeCanTakeNeedsNoOther(int runs, int factor) {
    assertThat(MergePlan.of(runs, factor)).isEqualTo(new MergePlan(0, 0, runs));
  }

  /** Of 15 runs six are merged, of 70 first seven and then six times ten. */
  @ParameterizedTest
  @CsvSource({"11, 2, 2", "15, 6, 6", "70, 67, 67", "190, 290, 200"})
  void theFirstMergeLeavesWholeOnes(int runs, long mergedRuns, long segments) {
    assertThat(MergePlan.of(runs, 10)).isEqualTo(new MergePlan(mergedRuns, segments, 10));
  }

  /** Source: Knuth, The Art of Computer Programming, vol. 3, 5.4: k^m runs take m passes. */
  @ParameterizedTest
  @CsvSource({"2, 1", "2, 6", "3, 4", "10, 1", "10, 2", "10, 3"})
  void powersOfTheFactorAreReadOnceForEachPass(int factor, int passes) {
    int runs = (int) Math.pow(factor, passes);

    assertThat(MergePlan.of(runs, factor).mergedRuns()).isEqualTo((long) (passes - 1) * runs);
  }

  @Test
  void moreRunsNeverCostLess() {
    long before = 0;
    for (int runs = 1; runs < 2_000; runs++) {
      MergePlan plan = MergePlan.of(runs, 7);
      assertThat(plan.mergedRuns()).isGreaterThanOrEqualTo(before);
      assertThat(plan.lastSegments()).isBetween(1, 7);
      before = plan.mergedRuns();
    }
  }
}
