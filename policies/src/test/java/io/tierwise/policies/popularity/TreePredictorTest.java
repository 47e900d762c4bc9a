package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TreePredictorTest {
  private static PopularityPredictor of(DecisionTrees trees) {
    return PopularityPredictors.parse("trees", model -> trees);
  }

  abstract static class OfTrees extends PopularityContract {
    abstract DecisionTrees trees();

    @Override
    protected PopularityPredictor predictor() {
      return of(trees());
    }

    @Override
    protected PopularityPredictor parsed(String text) {
      return PopularityPredictors.parse(text, model -> trees());
    }
  }

  @Nested
  class ByHandTest extends OfTrees {
    @Override
    DecisionTrees trees() {
      return Trees.byHand();
    }
  }

  @Nested
  class DrawnTest extends OfTrees {
    @Override
    DecisionTrees trees() {
      return Trees.drawn(7, 60);
    }
  }

  @Nested
  class NothingLearnedTest extends OfTrees {
    @Override
    DecisionTrees trees() {
      return DecisionTrees.NONE;
    }
  }

  @Test
  void saysWhatTheLeavesSay() {
    Uses uses = new Uses(4);
    UseWindow window = uses.next(4);
    Uses.readAtOnce(window, 0, 5, 1);
    Uses.readAtOnce(window, 1, 2, 31);
    Uses.readAtOnce(window, 2, 4, 29);

    assertThat(Uses.predictions(of(Trees.byHand()), uses.windows(), 0))
        .containsExactly(2, 1, -1, -3);
  }

  @Test
  void treesOfOtherWindowsAreRefused() {
    UseWindow window = new UseWindow(1);
    window.begin(0, 60);

    assertThatThrownBy(
            () -> of(Trees.byHand()).predict(window, new PopularityState(), new double[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "popularity predictor \"trees\": the trees were fitted to windows of 3600.0 s; this one"
                + " has 60.0 s");
  }

  @Test
  void theTextNamesTheModel() {
    PopularityPredictor predictor =
        PopularityPredictors.parse(
            "trees:model=/a/b.trees",
            model -> {
              assertThat(model).contains("/a/b.trees");
              return Trees.byHand();
            });
    assertThat(predictor.name()).isEqualTo("trees:model=/a/b.trees");
  }

  @Test
  void aHostWithoutTreesSaysSoInOneLine() {
    assertThatThrownBy(() -> PopularityPredictors.parse("trees"))
        .hasMessage(
            "popularity predictor \"trees\": no trees are fitted or read here; choose another one");
  }

  @Test
  void aLookAtTheRunningWindowChangesNothing() {
    Uses uses = new Uses(2);
    PopularityState state = new PopularityState();
    PopularityPredictor predictor = of(Trees.drawn(3, 60));
    double[] predicted = new double[2];
    UseWindow first = uses.next(2);
    Uses.readAtOnce(first, 0, 3, 10);
    predictor.predict(first, state, predicted);
    UseWindow second = uses.next(2);
    Uses.readAtOnce(second, 1, 2, 20);

    predictor.predict(second, state.copy(), predicted);
    double[] looked = predicted.clone();
    predictor.predict(second, state, predicted);

    assertThat(predicted).isEqualTo(looked);
  }
}
