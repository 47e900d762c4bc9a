package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BaselinesTest {
  private static double[] after(String predictor, int left) {
    Uses uses = new Uses(3);
    UseWindow first = uses.next(3);
    Uses.readAtOnce(first, 0, 8, 10);
    Uses.readAtOnce(first, 1, 2, 50);
    Uses.readAtOnce(uses.next(3), 1, 4, 30);
    Uses.readAtOnce(uses.next(3), 2, 6, 20);
    return Uses.predictions(PopularityPredictors.parse(predictor), uses.windows(), left);
  }

  @Nested
  class LastCountTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("last-count");
    }

    @Test
    void theReadsOfTheLastWindow() {
      assertThat(after("last-count", 1)).containsExactly(0, 4, 0);
    }
  }

  @Nested
  class LeastFrequentlyUsedTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("lfu");
    }

    @Test
    void theReadsOfAllWindows() {
      assertThat(after("lfu", 0)).containsExactly(8, 6, 6);
    }
  }

  @Nested
  class LeastRecentlyUsedTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("lru");
    }

    @Test
    void theTimeSinceTheLastReadAndOfAFileThatWasNeverReadInfinitelyLong() {
      assertThat(after("lru", 1)).containsExactly(-110 * 60, -30 * 60, Double.NEGATIVE_INFINITY);
    }

    @Test
    void aFileThatWasJustCreatedCountsAsUsed() {
      Uses uses = new Uses(1);
      uses.next().create(0, 1);
      assertThat(Uses.predictions(predictor(), uses.windows(), 0)).containsExactly(0);
    }
  }

  @Nested
  class ExponentialAverageTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("ewma");
    }

    @Test
    void olderWindowsFade() {
      assertThat(after("ewma", 0)).containsExactly(1, 1.25, 3);
      assertThat(after("ewma:weight=0.25", 1)).containsExactly(1.5, 1.375, 0);
      assertThat(PopularityPredictors.parse("ewma:weight=0.25").name())
          .isEqualTo("ewma:weight=0.25");
    }
  }

  @Nested
  class ScarlettTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("scarlett");
    }

    @Test
    void theMostReadersAtOneTimeAndACushionAtLeastTheDefault() {
      double[] predicted = after("scarlett", 1);
      assertThat(predicted).containsExactly(1, 5, 1);
      assertThat(predictor().replicas(predicted[0])).isEqualTo(3);
      assertThat(predictor().replicas(predicted[1])).isEqualTo(5);
      assertThat(after("scarlett:cushion=0", 1)).containsExactly(0, 4, 0);
    }
  }

  @Nested
  class UniformTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("uniform");
    }

    @Test
    void knowsNothing() {
      assertThat(after("uniform", 0)).containsOnly(0.0);
    }
  }

  @Nested
  class OracleTest extends PopularityContract {
    @Override
    protected PopularityPredictor predictor() {
      return PopularityPredictors.parse("oracle");
    }

    @Test
    void theReadsOfTheWindowToCome() {
      assertThat(after("oracle", 2)).containsExactly(0, 4, 0);
      assertThat(after("oracle:by=readers", 1)).containsExactly(0, 0, 6);
    }

    @Test
    void aHostThatDoesNotKnowTheFutureGetsOneLine() {
      assertThatThrownBy(() -> after("oracle", 0))
          .hasMessageContaining("only a replay")
          .hasMessageContaining("choose another");
    }
  }
}
