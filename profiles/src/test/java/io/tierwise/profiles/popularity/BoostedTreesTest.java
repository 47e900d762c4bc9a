package io.tierwise.profiles.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.UseFeatures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import org.junit.jupiter.api.Test;

class BoostedTreesTest {
  private static final int WIDTH = UseFeatures.count();

  private static TrainingRows rows(int count, int capacity) {
    SplittableRandom random = new SplittableRandom(3);
    TrainingRows rows = new TrainingRows(capacity);
    float[] row = new float[WIDTH];
    for (int i = 0; i < count; i++) {
      for (int feature = 0; feature < WIDTH; feature++) {
        row[feature] = (float) (random.nextInt(100) + random.nextDouble());
      }
      rows.add(row, 0, row[2] + row[6] + random.nextInt(50) > 120, 1 + random.nextInt(3));
    }
    return rows;
  }

  /** The rows that a branch tells apart: below its threshold, on it, and above. */
  private static float[] aroundThresholds(String[] dumps, float[] features) {
    List<Float> asked = new ArrayList<>();
    int row = 0;
    for (String dump : dumps) {
      Matcher branch = Pattern.compile("\\[f(\\d+)<([^]]+)]").matcher(dump);
      while (branch.find()) {
        float threshold = Float.parseFloat(branch.group(2));
        for (float value :
            new float[] {Math.nextDown(threshold), threshold, Math.nextUp(threshold)}) {
          int at = row++ * WIDTH % features.length;
          for (int feature = 0; feature < WIDTH; feature++) {
            boolean isAsked = feature == Integer.parseInt(branch.group(1));
            asked.add(isAsked ? value : features[at + feature]);
          }
        }
      }
    }
    float[] rows = new float[asked.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = asked.get(i);
    }
    return rows;
  }

  private static void assertSame(Booster booster, String[] dumps, float[] rows) throws Exception {
    List<DecisionTrees> each =
        Arrays.stream(dumps).map(dump -> TreeDump.trees(new String[] {dump}, 3600)).toList();
    DecisionTrees all = TreeDump.trees(dumps, 3600);
    DMatrix matrix = new DMatrix(rows, rows.length / WIDTH, WIDTH, Float.NaN);
    float[][] margins = booster.predict(matrix, true);
    matrix.dispose();
    for (int row = 0; row < margins.length; row++) {
      float sum = 0;
      for (DecisionTrees tree : each) {
        sum += (float) tree.score(rows, row * WIDTH);
      }
      // Bit for bit, added as the library does; we add doubles, which round less.
      assertThat(sum).isEqualTo(margins[row][0]);
      assertThat(all.score(rows, row * WIDTH)).isCloseTo(sum, within(1e-5));
    }
  }

  @Test
  void ourArraysSayWhatTheLibrarySaysOnThresholdsToo() throws Exception {
    TrainingRows rows = rows(3_000, 10_000);
    DMatrix matrix = new DMatrix(rows.features(), rows.count(), WIDTH, Float.NaN);
    matrix.setLabel(rows.answers());
    Booster booster =
        XGBoost.train(
            matrix,
            Map.of("objective", "binary:logistic", "base_score", 0.5, "nthread", 1),
            30,
            Map.of(),
            null,
            null);
    matrix.dispose();
    String[] dumps = booster.getModelDump("", false, "text");
    assertThat(dumps).hasSize(30);
    assertSame(booster, dumps, rows.features());
    float[] around = aroundThresholds(dumps, rows.features());
    assertThat(around.length / WIDTH).isGreaterThan(1_000);
    assertSame(booster, dumps, around);
    booster.dispose();
  }

  /** The sum of the leaves is the logarithm of the odds, without a part that the library keeps. */
  @Test
  void theOddsAreThoseOfTheRowsAlsoAfterFurtherTrees() {
    SplittableRandom random = new SplittableRandom(8);
    TrainingRows rows = new TrainingRows(10_000);
    float[] row = new float[WIDTH];
    for (int i = 0; i < 5_000; i++) {
      row[0] = random.nextInt(100);
      rows.add(row, 0, random.nextInt(20) == 0, 1);
    }
    try (BoostedTrees boosted = new BoostedTrees(3600, 1)) {
      for (int fitting = 0; fitting < 4; fitting++) {
        DecisionTrees trees = boosted.fit(rows);
        float[] features = rows.features();
        double likelihoods = 0;
        for (int i = 0; i < rows.count(); i++) {
          likelihoods += 1 / (1 + Math.exp(-trees.score(features, i * WIDTH)));
        }
        assertThat(likelihoods / rows.count()).isCloseTo(0.05, within(0.02));
      }
    }
  }

  @Test
  void eachFittingAddsTreesUntilAllAreGrownAnew() {
    TrainingRows rows = rows(500, 1_000);
    try (BoostedTrees boosted = new BoostedTrees(3600, 1)) {
      for (int fitting = 0; fitting < 6; fitting++) {
        assertThat(boosted.fit(rows).count()).isEqualTo(20 + 4 * fitting);
      }
      assertThat(boosted.fit(rows).count()).isEqualTo(20);
    }
  }

  @Test
  void theOldestRowsMakeRoom() {
    TrainingRows rows = new TrainingRows(3);
    float[] row = new float[2 * WIDTH];
    for (int i = 0; i < 5; i++) {
      row[WIDTH] = i;
      rows.add(row, WIDTH, i % 2 == 0, i);
    }
    assertThat(rows.count()).isEqualTo(3);
    assertThat(rows.added()).isEqualTo(5);
    assertThat(rows.weights()).containsExactly(3, 4, 2);
    assertThat(rows.answers()).containsExactly(0, 1, 1);
    assertThat(rows.features()).hasSize(3 * WIDTH);
    assertThat(rows.features()[0]).isEqualTo(3);
  }
}
