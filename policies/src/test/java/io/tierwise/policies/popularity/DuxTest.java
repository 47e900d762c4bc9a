package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Alg. 2 of DerbyhatS, by hand. */
class DuxTest extends PopularityContract {
  @Override
  protected PopularityPredictor predictor() {
    return PopularityPredictors.parse("dux");
  }

  @Test
  void anAccessRaisesByOneAndAllLoseTheMeanIncrease() {
    Uses uses = new Uses(4);
    uses.next(4);
    UseWindow window = uses.next(4);
    Uses.readAtOnce(window, 0, 3, 10);
    Uses.readAtOnce(window, 1, 1, 10);

    double[] predicted = Uses.predictions(predictor(), uses.windows(), 0);
    assertThat(predicted).containsExactly(2 * (3 - 1), 0, -2, -2);
  }

  @Test
  void aFileThatHasJustBecomeHotIsAheadOfOneThatHasCooled() {
    Uses uses = new Uses(4);
    uses.next(4);
    Uses.readAtOnce(uses.next(4), 0, 5, 10);
    Uses.readAtOnce(uses.next(4), 1, 4, 10);

    // Popularity 3.75 - 1 and -1.25 + 4 - 1; the changes -1 and +3 go on.
    double[] predicted = Uses.predictions(predictor(), uses.windows(), 0);
    assertThat(predicted[0]).isEqualTo(2.75 - 1);
    assertThat(predicted[1]).isEqualTo(1.75 + 3);
  }

  @Test
  void theAverageStaysWhateverComesAndGoes() {
    int[] numbers = new int[80];
    for (int file = 0; file < numbers.length; file++) {
      numbers[file] = file;
    }
    PopularityState state = new PopularityState();
    double[] predicted = new double[numbers.length];
    for (UseWindow window : Uses.drawn(new SplittableRandom(3), numbers).windows()) {
      predictor().predict(window, state, predicted);
      double sum = 0;
      for (int file = 0; file < numbers.length; file++) {
        sum += state.isKnown(file) ? state.popularity(file) : 0;
      }
      assertThat(sum).isCloseTo(0, within(1e-9));
    }
  }

  /** A host counts files in a window of so many numbers as it has; others were deleted. */
  @Test
  void whatAFileBeyondTheWindowTakesWithItTheOthersShare() {
    PopularityState state = new PopularityState();
    UseWindow three = new Uses(3).next(3);
    Uses.readAtOnce(three, 2, 6, 10);
    predictor().predict(three, state, new double[3]);
    double[] before = {state.popularity(0), state.popularity(1)};

    predictor().predict(new Uses(2).next(2), state, new double[2]);

    // The average was 0, and the third file had so much more than that as the others had less.
    assertThat(before[0] + before[1]).isNegative();
    assertThat(state.popularity(0) + state.popularity(1)).isCloseTo(0, within(1e-9));
  }
}
