package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.policies.popularity.UseWindow;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class ReadsToComeTest {
  private static final int FILES = 40;

  private final ReadsToCome toCome = new ReadsToCome(2);

  /** A window in which each file is read so often. */
  private void window(IntUnaryOperator reads) {
    UseWindow window = new UseWindow(FILES);
    window.begin(0, 1);
    for (int file = 0; file < FILES; file++) {
      window.keep(file, 1);
      for (int read = 0; read < reads.applyAsInt(file); read++) {
        window.read(file, 0, 1);
      }
    }
    toCome.note(window);
  }

  @Test
  void asLongAsNothingIsKnownEachWindowIsExpectedToBeAsTheLastOne() {
    assertThat(toCome.expected(3)).isEqualTo(6);
    window(file -> file < 9 ? 3 : 0);
    window(file -> 0);
    window(file -> 0);
    assertThat(toCome.expected(3)).as("nine files say little").isEqualTo(6);
    assertThat(toCome.expected(0)).isZero();
  }

  @Test
  void filesAreExpectedToDoAsFilesWithAsManyReadsDid() {
    // Of twenty files that were read three times, five are read four times in the next window and
    // once in the one after it.
    window(file -> file < 20 ? 3 : 0);
    window(file -> file < 5 ? 4 : 0);
    assertThat(toCome.expected(3))
        .as("the window after the next is expected to be as the next")
        .isCloseTo(2 * 20 / 20.0, within(1e-9));
    window(file -> file < 5 ? 1 : 0);

    assertThat(toCome.expected(3)).isCloseTo(5 * 5 / 20.0, within(1e-9));
    assertThat(toCome.expected(12)).as("like those with fewer").isCloseTo(5, within(1e-9));
    assertThat(toCome.expected(2)).as("nobody knows").isEqualTo(4);
  }

  @Test
  void readsAreNotExpectedOfBursts() {
    for (int burst = 0; burst < 10; burst++) {
      int since = burst;
      window(file -> file / 4 == since ? 50 : 0);
    }
    assertThat(toCome.expected(50)).isZero();
    assertThat(toCome.expected(500)).isZero();
  }

  /** Of forty files that were read three times, twenty are deleted. */
  @Test
  void aFileWhoseNumberIsAnothersNowWasReadNoMore() {
    window(file -> 3);
    for (int file = 0; file < 20; file++) {
      toCome.begins(file, 0);
    }
    window(file -> file < 20 ? 9 : 1);
    window(file -> file < 20 ? 9 : 0);

    assertThat(toCome.expected(3)).isCloseTo(3 * 20 / 120.0, within(1e-9));
    assertThat(toCome.expected(9)).as("the new files").isCloseTo(9, within(1e-9));
  }

  /** Twenty files are read twice before they are deleted; the files after them go as well. */
  @Test
  void whatAFileWasReadBeforeItsNumberWasAnothersCounts() {
    window(file -> 3);
    for (int file = 0; file < 20; file++) {
      toCome.begins(file, 2);
      toCome.begins(file, 50);
    }
    window(file -> file < 20 ? 9 : 1);
    for (int file = 0; file < 20; file++) {
      toCome.begins(file, 7);
    }
    window(file -> 0);

    assertThat(toCome.expected(3)).isCloseTo(3 * (20 * 2 + 20) / 120.0, within(1e-9));
    assertThat(toCome.expected(9)).as("once more").isCloseTo(7, within(1e-9));
  }

  @Test
  void aHoldOfNothingIsRefused() {
    assertThatThrownBy(() -> new ReadsToCome(0)).hasMessageContaining("1 or more");
  }
}
