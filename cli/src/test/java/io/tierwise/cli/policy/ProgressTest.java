package io.tierwise.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter err = new StringWriter();
  private final List<String> lines = new ArrayList<>();
  private long nowNanos;

  private Progress progress(boolean terminal) {
    return new Progress(new PrintWriter(err), lines::add, terminal, () -> nowNanos);
  }

  private void addUntil(Progress progress, int seconds) {
    while (nowNanos < TimeUnit.SECONDS.toNanos(seconds)) {
      nowNanos += TimeUnit.MILLISECONDS.toNanos(500);
      progress.add();
    }
  }

  @Test
  void aTerminalHasOneLineThatIsDrawnOverAndClearedBeforeAnAnswer() {
    Progress progress = progress(true);
    addUntil(progress, 3);
    assertThat(err.toString())
        .isEqualTo(
            "\r2 paths, 2 a second\033[K\r4 paths, 2 a second\033[K\r6 paths, 2 a second\033[K");
    progress.clear();
    assertThat(err.toString()).endsWith("\r\033[K");
    progress.clear();
    assertThat(err.toString()).containsOnlyOnce("\r\033[K");
    assertThat(lines).isEmpty();
  }

  @Test
  void aLogHasALineAMinuteAndAShortRunNone() {
    Progress progress = progress(false);
    addUntil(progress, 59);
    assertThat(lines).isEmpty();
    addUntil(progress, 130);
    assertThat(lines)
        .containsExactly("so far 120 paths, 2 a second", "so far 240 paths, 2 a second");
    progress.clear();
    assertThat(err.toString()).isEmpty();
  }
}
