package io.tierwise.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The risk by the sets of nodes that hold blocks, against closed forms and all that can fail. */
class LossRiskTest {
  @Test
  void oneSetIsLostWhenAllItsNodesFailWhateverElseThereIs() {
    assertThat(LossRisk.of(27, new long[] {0, 0, 0, 1}, 0.01))
        .isCloseTo(1e-6, withinPercentage(1e-6));
    assertThat(LossRisk.of(27, new long[] {0, 1}, 0.01)).isCloseTo(0.01, withinPercentage(1e-6));
  }

  /** C(6, 3) = 20 sets: any three nodes that fail hold all replicas of some block. */
  @Test
  void whereEverySetHoldsABlockAsManyFailuresAsReplicasAreEnough() {
    double p = 0.1;
    double fewer =
        Math.pow(1 - p, 6) + 6 * p * Math.pow(1 - p, 5) + 15 * p * p * Math.pow(1 - p, 4);
    assertThat(LossRisk.of(6, new long[] {0, 0, 0, 20}, p))
        .isCloseTo(1 - fewer, withinPercentage(1e-6));
  }

  @Test
  void nothingStoredHasNoRisk() {
    assertThat(LossRisk.of(6, new long[] {0, 0, 0, 0}, 0.1)).isNaN();
  }

  /** 12 nodes, so that all 4,096 outcomes of a day can be gone through. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 40, 150, 219})
  void setsThatAreDrawnAreLostAsOftenAsAllOutcomesSay(int sets) {
    double p = 0.002;
    RandomGenerator random = new SplittableRandom(sets);
    Set<Integer> drawn = new HashSet<>();
    while (drawn.size() < sets) {
      int set = random.nextInt(1 << 12);
      if (Integer.bitCount(set) == 3) {
        drawn.add(set);
      }
    }
    List<Integer> two = new ArrayList<>(List.of(0b11, 0b101));

    assertThat(LossRisk.of(12, new long[] {0, 0, 0, sets}, p))
        .isCloseTo(exact(drawn, p), withinPercentage(2));
    two.addAll(drawn);
    assertThat(LossRisk.of(12, new long[] {0, 0, 2, sets}, p))
        .as("blocks of which a replica is missing come first")
        .isCloseTo(exact(two, p), withinPercentage(2));
  }

  private static double exact(Iterable<Integer> sets, double p) {
    double loss = 0;
    for (int failed = 0; failed < 1 << 12; failed++) {
      for (int set : sets) {
        if ((failed & set) == set) {
          int count = Integer.bitCount(failed);
          loss += Math.pow(p, count) * Math.pow(1 - p, 12 - count);
          break;
        }
      }
    }
    return loss;
  }
}
