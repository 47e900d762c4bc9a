package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.policies.popularity.UseWindow;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class PromotionOddsTest {
  private static final int FILES = 40;

  private final PromotionOdds odds = new PromotionOdds(2, 1.5);
  private UseWindow last;
  private int seconds;

  private UseWindow window(IntUnaryOperator reads) {
    UseWindow window = new UseWindow(FILES);
    window.begin(seconds, ++seconds);
    for (int file = 0; file < FILES; file++) {
      window.keep(file, 1);
      for (int read = 0; read < reads.applyAsInt(file); read++) {
        window.read(file, seconds - 1, 1);
      }
    }
    return window;
  }

  private void note(IntUnaryOperator reads) {
    last = window(reads);
    odds.note(last);
  }

  /** Wilson's lower end with z = 1, calculated by hand in another form. */
  private static double wilson(double k, double n) {
    double p = k / n;
    return (2 * n * p + 1 - Math.sqrt(1 + 4 * n * p * (1 - p))) / (2 * (n + 1));
  }

  @Test
  void nothingIsSureBeforeItWasSeen() {
    assertThat(odds.atLeast(window(file -> 9), 3)).isZero();
    note(file -> 9);
    note(file -> 9);
    assertThat(odds.atLeast(last, 3)).as("no window is two windows old").isZero();
  }

  @Test
  void filesAreAsSureAsOthersThatWereReadInAsManyWindows() {
    // Twenty files are read in a window. In the two that follow sixteen get two reads, four get
    // one.
    note(file -> file < 20 ? 5 : 0);
    note(file -> file < 16 ? 1 : 0);
    note(file -> file < 20 ? 1 : 0);

    assertThat(odds.atLeast(window(file -> file == 30 ? 1 : 0), 30))
        .as("read in one window, in the one that goes on")
        .isCloseTo(wilson(16, 20), within(1e-12));
    assertThat(odds.atLeast(window(file -> file == 17 ? 1 : 0), 17))
        .as("its third window: as sure as one of which more is known")
        .isCloseTo(wilson(16, 20), within(1e-12));
  }

  @Test
  void readsThatJustPayAreEnough() {
    PromotionOdds two = new PromotionOdds(2, 2);
    two.note(window(file -> file < 20 ? 5 : 0));
    two.note(window(file -> file < 16 ? 1 : 0));
    two.note(window(file -> file < 20 ? 1 : 0));

    assertThat(two.atLeast(window(file -> 1), 30)).isCloseTo(wilson(16, 20), within(1e-12));
  }

  @Test
  void manyReadsOfOneWindowMakeNothingSure() {
    for (int burst = 0; burst < 10; burst++) {
      int since = burst;
      note(file -> file / 4 == since ? 50 : 0);
    }
    assertThat(odds.atLeast(last, 39)).as("32 of 32 got none").isLessThan(1e-12);
  }

  @Test
  void filesThatAreReadAgainAndAgainBecomeSure() {
    for (int i = 0; i < 6; i++) {
      note(file -> file < 3 ? 2 : 0);
    }
    assertThat(odds.atLeast(last, 0)).as("three files").isCloseTo(wilson(3, 3), within(1e-12));
    for (int i = 6; i < 12; i++) {
      note(file -> file < 3 ? 2 : 0);
    }
    // Windows 4 to 7 go together: four of three files each.
    assertThat(odds.atLeast(last, 0))
        .isCloseTo(wilson(12, 12), within(1e-12))
        .isGreaterThanOrEqualTo(PromotionOdds.SURE);
  }

  /** Of forty files twenty are read in the two windows that follow; the others are deleted. */
  @Test
  void aFileWhoseNumberIsAnothersNowWasReadNoMore() {
    note(file -> 3);
    for (int file = 0; file < 20; file++) {
      odds.begins(file, 0);
    }
    note(file -> file < 20 ? 3 : 1);
    note(file -> file < 20 ? 3 : 1);

    assertThat(odds.atLeast(last, 39)).isCloseTo(wilson(20, 40), within(1e-12));
  }

  /** The others are read twice before, which pays, and their followers are deleted, too. */
  @Test
  void whatAFileWasReadBeforeItsNumberWasAnothersCounts() {
    note(file -> 3);
    for (int file = 0; file < 20; file++) {
      odds.begins(file, 2);
      odds.begins(file, 50);
    }
    note(file -> file < 20 ? 9 : 0);
    for (int file = 20; file < 40; file++) {
      odds.begins(file, 0);
    }
    for (int file = 20; file < 40; file++) {
      odds.begins(file, 50);
    }
    note(file -> 3);

    assertThat(odds.atLeast(last, 39)).isCloseTo(wilson(20, 40), within(1e-12));
  }

  @Test
  void aHoldOfNoWindowAndReadsThatNeverPayAreRefused() {
    assertThatThrownBy(() -> new PromotionOdds(0, 1)).hasMessageContaining("hold of 0 windows");
    assertThatThrownBy(() -> new PromotionOdds(1, Double.NaN)).hasMessageContaining("NaN reads");
  }
}
