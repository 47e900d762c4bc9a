package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ReplicaHoldTest {
  private final ReplicaHold hold = new ReplicaHold(3, 3600);

  @Test
  void moreIsAllowedAtOnceAndFewerAfterThreeWindowsInARow() {
    assertThat(hold.allowed(0, 3, 8)).isEqualTo(8);
    hold.note(0, 8, 3);
    hold.note(0, 8, 5);
    assertThat(hold.allowed(0, 8, 3)).isEqualTo(8);
    hold.note(0, 8, 3);
    // The most that any of the three asked for.
    assertThat(hold.allowed(0, 8, 3)).isEqualTo(5);
  }

  @Test
  void oneWindowThatWantsItAgainBeginsTheCountAnew() {
    hold.note(0, 8, 3);
    hold.note(0, 8, 3);
    hold.note(0, 8, 8);
    hold.note(0, 8, 3);
    assertThat(hold.lowWindows(0)).isOne();
    assertThat(hold.allowed(0, 8, 3)).isEqualTo(8);
  }

  @Test
  void whatWasAskedForBeforeTheCountBeganDoesNotCount() {
    hold.note(0, 8, 7);
    hold.note(0, 8, 8);
    hold.note(0, 8, 3);
    hold.note(0, 8, 4);
    hold.note(0, 8, 3);
    assertThat(hold.allowed(0, 8, 3)).isEqualTo(4);
  }

  /** Demand that changes every window would change the file every window without it. */
  @Test
  void demandThatFlapsChangesNothingTwice() {
    int replicas = 3;
    int changes = 0;
    for (int window = 0; window < 100; window++) {
      int wanted = window % 2 == 0 ? 8 : 3;
      hold.note(0, replicas, wanted);
      int allowed = hold.allowed(0, replicas, wanted);
      changes += allowed == replicas ? 0 : 1;
      replicas = allowed;
    }
    assertThat(changes).isOne();
  }

  @Test
  void aChangeIsKeptForThreeWindows() {
    assertThat(hold.isHeld(1_000, 1_000 + 3 * 3600 - 1)).isTrue();
    assertThat(hold.isHeld(1_000, 1_000 + 3 * 3600)).isFalse();
    assertThat(hold.isHeld(Double.NEGATIVE_INFINITY, 0)).isFalse();
  }

  @Test
  void anotherFileUnderTheNumberBeginsAnew() {
    for (int i = 0; i < 3; i++) {
      hold.note(7, 8, 3);
    }
    hold.forget(7);
    assertThat(hold.allowed(7, 8, 3)).isEqualTo(8);
    assertThatThrownBy(() -> new ReplicaHold(0, 1)).hasMessageContaining("0 windows");
  }
}
