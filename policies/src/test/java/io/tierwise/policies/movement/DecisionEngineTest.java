package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class DecisionEngineTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  private static final PopularityPredictor PPA = PopularityPredictors.parse("ppa");

  private static int[] decide(DecisionEngine engine, double[] predicted, long[] bytes) {
    return decide(engine, predicted, bytes, 3, 100);
  }

  private static int[] decide(
      DecisionEngine engine, double[] predicted, long[] bytes, int usual, int most) {
    int[] replicas = new int[predicted.length];
    Arrays.fill(replicas, -1);
    engine.decide(request(predicted, bytes, usual, most, file -> false), replicas);
    return replicas;
  }

  private static ReplicationRequest request(
      double[] predicted, long[] bytes, int usual, int most, IntPredicate comeFirst) {
    return new ReplicationRequest(
        PPA, predicted, bytes, predicted.length, file -> file == 4, comeFirst, usual, most);
  }

  private static final double[] PREDICTED = {7.2, 3.1, 1.4, Double.NaN, 1, 5};
  private static final long[] BYTES = {10, 10, 10, 10, 10, 10};

  @Test
  void popularFilesGetMoreAverageOnesTheDefaultUnpopularOnesGoUnlessTheyMustStay() {
    assertThat(decide(new DecisionEngine(true, NO_LIMIT), PREDICTED, BYTES))
        .containsExactly(7, 3, DecisionEngine.SECONDARY, -1, 3, 5);
  }

  @Test
  void withoutASecondaryStoreNoFileHasFewerThanTheDefault() {
    assertThat(decide(new DecisionEngine(false, NO_LIMIT), PREDICTED, BYTES))
        .containsExactly(7, 3, 3, -1, 3, 5);
  }

  @Test
  void averageFilesHaveTheUsualNumberOfTheFileSystemAndPopularOnesNoFewer() {
    assertThat(decide(new DecisionEngine(true, NO_LIMIT), PREDICTED, BYTES, 2, 100))
        .containsExactly(7, 2, DecisionEngine.SECONDARY, -1, 2, 5);
    assertThat(decide(new DecisionEngine(false, NO_LIMIT), PREDICTED, BYTES, 6, 100))
        .containsExactly(7, 6, 6, -1, 6, 6);
    // Five files of two replicas are 100 bytes; a fifth of that is two more replicas.
    assertThat(decide(new DecisionEngine(false, 0.2), PREDICTED, BYTES, 2, 100))
        .containsExactly(4, 2, 2, -1, 2, 2);
  }

  @Test
  void whatAFileCannotHaveIsLeftToOthers() {
    // Five more replicas, as below: three of them bring the first file to six.
    assertThat(decide(new DecisionEngine(false, 1.0 / 3), PREDICTED, BYTES, 3, 6))
        .containsExactly(6, 3, 3, -1, 3, 5);
  }

  @Test
  void theBudgetGoesToTheMostPopularFirst() {
    // Five files of three replicas are 150 bytes; a third of that is five more replicas.
    assertThat(decide(new DecisionEngine(false, 1.0 / 3), PREDICTED, BYTES))
        .containsExactly(7, 3, 3, -1, 3, 4);
    assertThat(decide(new DecisionEngine(false, 0), PREDICTED, BYTES))
        .containsExactly(3, 3, 3, -1, 3, 3);
  }

  @Test
  void theBudgetIsAShareOfAllFilesThoseThatLeaveIncluded() {
    assertThat(decide(new DecisionEngine(true, 1.0 / 3), PREDICTED, BYTES))
        .containsExactly(7, 3, DecisionEngine.SECONDARY, -1, 3, 4);
  }

  @Test
  void filesThatComeFirstGetTheirsBeforeMorePopularOnes() {
    int[] replicas = new int[PREDICTED.length];
    new DecisionEngine(false, 1.0 / 3)
        .decide(request(PREDICTED, BYTES, 3, 100, file -> file == 5), replicas);

    assertThat(replicas).as("two of the five for the last file").containsExactly(6, 3, 3, 0, 3, 5);
  }

  @Test
  void additionalReplicasNeverTakeMoreThanTheBudget() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      int files = 1 + random.nextInt(30);
      double[] predicted = random.doubles(files, 1, 12).toArray();
      long[] bytes = random.longs(files, 0, 1000).toArray();
      double share = random.nextDouble();
      int[] replicas = decide(new DecisionEngine(false, share), predicted, bytes);
      long added = 0;
      long all = 0;
      for (int file = 0; file < files; file++) {
        assertThat(replicas[file]).isBetween(3, PPA.replicas(Math.max(3, predicted[file])));
        added += (replicas[file] - 3) * bytes[file];
        all += 3 * bytes[file];
      }
      assertThat((double) added).isLessThanOrEqualTo(share * all + files);
    }
  }

  @Test
  void aBudgetBelowNothingIsRefused() {
    assertThatThrownBy(() -> new DecisionEngine(true, -0.1)).hasMessageContaining("-0.1");
  }
}
