package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.access.TierAwareAccess.Capacity;
import io.tierwise.policies.access.TierAwareAccess.Figure;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;

class TierAwareAccessTest extends AccessStrategyContract {
  private static final ArrayReadView ONE_A_TIER = ArrayReadView.replicas(DISK, 0, SSD, 2, NVME, 4);

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        TierAwareAccess.DEFAULT,
        new TierAwareAccess(Figure.IOPS, Capacity.IGNORED),
        new TierAwareAccess(Figure.THROUGHPUT, Capacity.MULTIPLIED),
        new TierAwareAccess(Figure.IOPS, Capacity.DIVIDED));
  }

  @Example
  void drawsInProportionToMeasuredThroughputWhateverTheDistance() {
    double total = 533 + 191 + 61;
    FirstChoices.assertShares(
        TierAwareAccess.DEFAULT, ONE_A_TIER, 61 / total, 191 / total, 533 / total);
  }

  @Example
  void drawsInProportionToIops() {
    double total = 70 + 25 + 3.5;
    FirstChoices.assertShares(
        new TierAwareAccess(Figure.IOPS, Capacity.IGNORED),
        ONE_A_TIER,
        3.5 / total,
        25 / total,
        70 / total);
  }

  @Example
  void capacityMultipliesOrDividesWhereItIsKnownOfAll() {
    ArrayReadView known = ONE_A_TIER.withCapacities(4_000, 2_000, 1_000);
    double multiplied = 61 * 4 + 191 * 2 + 533;
    FirstChoices.assertShares(
        new TierAwareAccess(Figure.THROUGHPUT, Capacity.MULTIPLIED),
        known,
        244 / multiplied,
        382 / multiplied,
        533 / multiplied);
    double divided = 61 / 4.0 + 191 / 2.0 + 533;
    FirstChoices.assertShares(
        new TierAwareAccess(Figure.THROUGHPUT, Capacity.DIVIDED),
        known,
        61 / 4.0 / divided,
        191 / 2.0 / divided,
        533 / divided);
    double ignored = 533 + 191 + 61;
    FirstChoices.assertShares(
        new TierAwareAccess(Figure.THROUGHPUT, Capacity.DIVIDED),
        ONE_A_TIER.withCapacities(4_000, 0, 1_000),
        61 / ignored,
        191 / ignored,
        533 / ignored);
  }

  @Example
  void anUnmeasuredClassMakesAllWeightsGoByRank() {
    FirstChoices.assertShares(
        TierAwareAccess.DEFAULT,
        ONE_A_TIER.in(ArrayReadView.UNMEASURED),
        1 / 13.0,
        3 / 13.0,
        9 / 13.0);
  }

  @Example
  void aReplicaOfUnknownTierRanksBehindTheSlowest() {
    FirstChoices.assertShares(
        TierAwareAccess.DEFAULT, ArrayReadView.replicas(-1, 0, DISK, 0), 1 / 4.0, 3 / 4.0);
  }

  @Example
  void laterPlacesAreDrawnByWeightToo() {
    // Given that the fastest is first (533 of 785), the second place is between 191 and 61.
    int[] order = new int[3];
    var random = new SplittableRandom(5);
    int fastestFirst = 0;
    int thenSsd = 0;
    for (int i = 0; i < 40_000; i++) {
      TierAwareAccess.DEFAULT.order(new AccessRequest(1, 0, 1, 0), ONE_A_TIER, random, order);
      if (order[0] == 2) {
        fastestFirst++;
        thenSsd += order[1] == 1 ? 1 : 0;
      }
    }
    double expected = 191 / 252.0;
    assertThat((double) thenSsd / fastestFirst).isBetween(expected - 0.011, expected + 0.011);
  }
}
