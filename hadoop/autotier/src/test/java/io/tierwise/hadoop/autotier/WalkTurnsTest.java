package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WalkTurnsTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(5);

  private final List<Integer> seen = new ArrayList<>();
  private final WalkTurns turns = new WalkTurns(this::walk);

  private WalkTurns going;

  private WalkTurns turns() {
    return going;
  }

  private void walk() throws IOException {
    for (int path = 1; path <= 7; path++) {
      turns.step();
      seen.add(path);
    }
  }

  private boolean turn(long paths, long nanos) throws IOException {
    return turns.turn(paths, nanos, WalkTurns.Pulse.NONE);
  }

  @Test
  void eachTurnGoesOnWhereTheLastOneStopped() throws IOException {
    assertThat(turn(3, LONG)).isFalse();
    assertThat(seen).containsExactly(1, 2, 3);
    assertThat(turn(3, LONG)).isFalse();
    assertThat(seen).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(turn(3, LONG)).isTrue();
    assertThat(seen).containsExactly(1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void aTurnEndsWhenItsTimeIsOver() throws IOException {
    assertThat(turn(100, 0)).isFalse();
    assertThat(seen).isEmpty();
    assertThat(turn(100, LONG)).isTrue();
    assertThat(seen).hasSize(7);
  }

  @Test
  @Timeout(60)
  void aWalkThatIsOverStaysSo() throws IOException {
    assertThat(turn(100, LONG)).isTrue();
    assertThat(turn(100, LONG)).isTrue();
    assertThat(seen).hasSize(7);
  }

  @Test
  void whatEndsTheWalkIsTold() {
    WalkTurns failing =
        new WalkTurns(
            () -> {
              throw new IOException("away");
            });
    assertThatThrownBy(() -> failing.turn(1, LONG, WalkTurns.Pulse.NONE))
        .isInstanceOf(IOException.class)
        .hasMessage("away");
  }

  @Test
  @Timeout(60)
  void anErrorEndsTheTurnToo() {
    WalkTurns failing =
        new WalkTurns(
            () -> {
              throw new StackOverflowError("deep");
            });
    assertThatThrownBy(() -> failing.turn(1, LONG, WalkTurns.Pulse.NONE))
        .isInstanceOf(StackOverflowError.class)
        .hasMessage("deep");
  }

  @Test
  @Timeout(60)
  void aPulseThatFailsEndsTheWalk() throws InterruptedException {
    AtomicReference<Thread> walker = new AtomicReference<>();
    WalkTurns endless =
        new WalkTurns(
            () -> {
              walker.set(Thread.currentThread());
              while (true) {
                turns().step();
              }
            });
    going = endless;
    assertThatThrownBy(
            () ->
                endless.turn(
                    Long.MAX_VALUE,
                    LONG,
                    () -> {
                      throw new IOException("away");
                    }))
        .hasMessage("away");

    walker.get().join();
    assertThat(walker.get().isAlive()).isFalse();
  }
}
