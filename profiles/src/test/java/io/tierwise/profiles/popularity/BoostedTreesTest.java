package io.tierwise.profiles.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.UseFeatures;
import java.util.Map;
import java.util.SplittableRandom;
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

  @Test
  void ourArraysSayWhatTheLibrarySays() throws Exception {
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
    DecisionTrees trees = TreeDump.trees(booster.getModelDump("", false, "text"), 3600);
    float[][] margins = booster.predict(matrix, true);

    assertThat(trees.count()).isEqualTo(30);
    float[] features = rows.features();
    for (int row = 0; row < rows.count(); row++) {
      assertThat(trees.score(features, row * WIDTH)).isCloseTo(margins[row][0], within(1e-4));
    }
    booster.dispose();
    matrix.dispose();
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
