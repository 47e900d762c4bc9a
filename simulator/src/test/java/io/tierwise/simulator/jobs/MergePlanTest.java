package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
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

  /** A terabyte in runs of a byte: too many to stand in a queue one by one. */
  @ParameterizedTest
  @CsvSource({"10, 12", "2, 40"})
  void runsAreCountedNotQueued(int factor, int passes) {
    long runs = (long) Math.pow(factor, passes);

    assertThat(MergePlan.of(runs, factor).mergedRuns()).isEqualTo((passes - 1) * runs);
  }

  /** Against the definition: a queue that holds every segment. */
  @Test
  void mergesAsAQueueOfSegmentsDoes() {
    for (int factor = 2; factor < 12; factor++) {
      for (int runs = 1; runs < 400; runs++) {
        assertThat(MergePlan.of(runs, factor))
            .as("%d runs, factor %d", runs, factor)
            .isEqualTo(queued(runs, factor));
      }
    }
  }

  private static MergePlan queued(int runs, int factor) {
    Deque<Long> segments = new ArrayDeque<>(Collections.nCopies(runs, 1L));
    int remainder = (runs - 1) % (factor - 1);
    int taken = remainder == 0 ? factor : remainder + 1;
    long mergedRuns = 0;
    long mergedSegments = 0;
    while (segments.size() > factor) {
      long length = 0;
      for (int i = 0; i < taken; i++) {
        length += segments.remove();
      }
      segments.add(length);
      mergedRuns += length;
      mergedSegments += taken;
      taken = factor;
    }
    return new MergePlan(mergedRuns, mergedSegments, segments.size());
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
