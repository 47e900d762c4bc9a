package io.tierwise.hadoop.inspect.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WalkProgressTest {
  private final List<String> drawn = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private long nowNanos;

  private WalkProgress progress(boolean terminal) {
    return new WalkProgress(drawn::add, lines::add, terminal, () -> nowNanos);
  }

  private void addUntil(WalkProgress progress, int seconds) {
    while (nowNanos < TimeUnit.SECONDS.toNanos(seconds)) {
      nowNanos += TimeUnit.MILLISECONDS.toNanos(500);
      progress.add();
    }
  }

  @Test
  void aTerminalHasOneLineThatIsDrawnOver() {
    addUntil(progress(true), 3);
    assertThat(drawn)
        .containsExactly("2 paths, 2 a second", "4 paths, 2 a second", "6 paths, 2 a second");
    assertThat(lines).isEmpty();
  }

  @Test
  void aLogHasALineAMinuteAndAShortRunNone() {
    WalkProgress progress = progress(false);
    addUntil(progress, 59);
    assertThat(lines).isEmpty();
    addUntil(progress, 130);
    assertThat(lines)
        .containsExactly("so far 120 paths, 2 a second", "so far 240 paths, 2 a second");
    assertThat(drawn).isEmpty();
  }
}
