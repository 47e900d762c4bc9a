package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The promises of every popularity predictor; a test class for each inherits this. */
public abstract class PopularityContract {
  private static final int SEEDS = 60;
  private static final int FILES = 50;

  /** Rounding: sums over files are in the order of their numbers. */
  private static final double ROUNDING = 1e-9;

  /** The predictor with its default settings. */
  protected abstract PopularityPredictor predictor();

  /** The predictor of that text; for one that wants trees, from those that the test has. */
  protected PopularityPredictor parsed(String text) {
    return PopularityPredictors.parse(text);
  }

  private static int[] inOrder() {
    int[] numbers = new int[FILES];
    Arrays.setAll(numbers, file -> file);
    return numbers;
  }

  private static List<UseWindow> drawn(int seed, int[] numbers) {
    return Uses.drawn(new SplittableRandom(seed), numbers).windows();
  }

  @Test
  protected void canonicalNameIsReadBackAsTheSamePredictor() {
    PopularityPredictor again = parsed(predictor().name());
    assertThat(again.name()).isEqualTo(predictor().name());
    assertThat(again).hasSameClassAs(predictor());
  }

  @Test
  protected void theSameWindowsGiveTheSamePredictions() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<UseWindow> windows = drawn(seed, inOrder());
      double[] once = Uses.predictions(predictor(), windows, 1);
      assertThat(Uses.predictions(predictor(), windows, 1)).isEqualTo(once);
      assertThat(Uses.predictions(predictor(), drawn(seed, inOrder()), 1)).isEqualTo(once);
    }
  }

  @Test
  protected void predictionsAreWithinBoundsAndOfTheFilesThatExist() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<UseWindow> windows = drawn(seed, inOrder());
      for (int left = 1; left < windows.size(); left++) {
        UseWindow window = windows.get(windows.size() - 1 - left);
        double[] predicted = Uses.predictions(predictor(), windows, left);
        for (int file = 0; file < FILES; file++) {
          if (window.exists(file)) {
            assertThat(predicted[file]).isBetween(predictor().min(), predictor().max());
            assertThat(predictor().replicas(predicted[file])).isPositive();
            assertThat(
                    predictor().saysReplicas()
                        || predictor().replicas(predicted[file])
                            == PopularityPredictor.DEFAULT_REPLICAS)
                .isTrue();
          } else {
            assertThat(predicted[file]).isNaN();
          }
        }
      }
    }
  }

  @Test
  protected void otherNumbersForTheFilesChangeNothing() {
    for (int seed = 0; seed < SEEDS; seed++) {
      int[] shuffled = inOrder();
      RandomGenerator random = new SplittableRandom(-seed);
      for (int i = FILES - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int kept = shuffled[i];
        shuffled[i] = shuffled[other];
        shuffled[other] = kept;
      }
      double[] expected = Uses.predictions(predictor(), drawn(seed, inOrder()), 1);
      double[] predicted = Uses.predictions(predictor(), drawn(seed, shuffled), 1);
      for (int file = 0; file < FILES; file++) {
        assertSame(predicted[shuffled[file]], expected[file]);
      }
    }
  }

  private static void assertSame(double actual, double expected) {
    if (Double.isFinite(expected)) {
      assertThat(actual).isCloseTo(expected, within(ROUNDING * Math.max(1, Math.abs(expected))));
    } else {
      // As objects: NaN is equal to itself.
      assertThat(Double.valueOf(actual)).isEqualTo(Double.valueOf(expected));
    }
  }

  @Test
  protected void aDeletedFileIsForgottenAlsoWhenItsNumberComesBack() {
    int gone = 0;
    int never = 1;
    Uses uses = new Uses(10);
    for (int window = 0; window < 3; window++) {
      UseWindow busy = uses.next(10);
      Uses.readAtOnce(busy, gone, 9, 10);
      Uses.readAtOnce(busy, 2, 2, 20);
    }
    UseWindow without = uses.next(10);
    without = withOnly(without, 2);
    UseWindow back = withOnly(uses.next(10), 2);
    for (int file : List.of(gone, never)) {
      back.create(file, 4);
      Uses.readAtOnce(back, file, 3, 30);
    }
    uses.next(10);

    assertThat(without.exists(gone)).isFalse();
    double[] predicted = Uses.predictions(predictor(), uses.windows(), 1);
    assertThat(predicted[gone]).isEqualTo(predicted[never]);
  }

  /** The same window, with the files from that number on alone. */
  private static UseWindow withOnly(UseWindow window, int firstFile) {
    window.begin(window.startSeconds(), window.endSeconds());
    for (int file = firstFile; file < window.fileCount(); file++) {
      window.keep(file, 1);
    }
    return window;
  }

  @Test
  protected void aFileBeyondTheWindowsNumbersIsForgotten() {
    PopularityState state = new PopularityState();
    UseWindow many = new Uses(3).next(3);
    many.foresee(many);
    Uses.readAtOnce(many, 2, 9, 10);
    predictor().predict(many, state, new double[3]);
    UseWindow few = new Uses(2).next(2);
    few.foresee(many);
    predictor().predict(few, state, new double[2]);

    for (int file = 2; file < state.capacity(); file++) {
      assertThat(state.isKnown(file)).isFalse();
    }
  }

  @Test
  protected void aReadMoreAtTheLastMomentMakesNoFileLessPopular() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<UseWindow> windows = drawn(seed, inOrder());
      UseWindow last = windows.get(windows.size() - 2);
      double[] before = Uses.predictions(predictor(), windows, 1);
      for (int file = 0; file < FILES; file++) {
        if (last.exists(file) && last.reads(file) > 0) {
          last.read(file, last.lastReadSeconds(file), last.readersMax(file));
          double[] after = Uses.predictions(predictor(), windows, 1);
          assertThat(after[file]).isGreaterThanOrEqualTo(before[file] - ROUNDING);
          before = after;
        }
      }
    }
  }
}
