package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.popularity.UseWindow;
import org.junit.jupiter.api.Test;

/** Its host hands on windows with reads alone. */
class SureFilesTest {
  private static final int FILES = 40;
  private static final int HOLD = 3;

  private final SureFiles sure = new SureFiles(HOLD, 2, 1);
  private UseWindow last;

  private void note(int second, int reads) {
    last = new UseWindow(FILES);
    last.begin(second, second + 1);
    for (int file = 0; file < FILES; file++) {
      last.keep(file, 1);
      for (int read = 0; read < reads; read++) {
        last.read(file, second, 1);
      }
    }
    sure.note(last);
  }

  @Test
  void readsWithinTheWindowsOfTheHoldPay() {
    note(0, 1);
    note(HOLD, 2);
    assertThat(sure.contains(last, 7)).isTrue();
  }

  @Test
  void readsThatComeAWindowLaterDoNot() {
    note(0, 1);
    note(HOLD + 1, 2);
    assertThat(sure.contains(last, 7)).isFalse();
  }

  @Test
  void norDoThoseAfterALongSilence() {
    note(0, 1);
    note(1_000, 2);
    assertThat(sure.contains(last, 7)).isFalse();
  }
}
