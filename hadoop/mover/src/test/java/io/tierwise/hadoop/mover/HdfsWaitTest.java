package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HdfsWaitTest {
  private static final long END = TimeUnit.SECONDS.toNanos(20);

  private final List<Long> pauses = new ArrayList<>();
  private final HdfsWait wait = new HdfsWait(this::now, this::sleep);
  private long now;

  private long now() {
    return now;
  }

  private void sleep(long millis) {
    pauses.add(millis);
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Counts and failures, one for each look; the last one again and again. */
  private static HdfsWait.Look looks(Object... answers) {
    Deque<Object> left = new ArrayDeque<>(List.of(answers));
    return () -> {
      Object answer = left.size() > 1 ? left.remove() : left.element();
      if (answer instanceof IOException e) {
        throw e;
      }
      return (Integer) answer;
    };
  }

  @Test
  void nothingLeftIsNotWaitedFor() throws Exception {
    assertThat(wait.until(END, looks(0))).isEqualTo(new HdfsWait.Left(0, null, false));
    assertThat(pauses).isEmpty();
  }

  @Test
  void looksComeLessAndLessOftenAndTheLastOneAtTheEnd() throws Exception {
    assertThat(wait.until(END, looks(3))).isEqualTo(new HdfsWait.Left(3, null, true));
    assertThat(pauses).startsWith(500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L).hasSize(7);
    assertThat(now).isBetween(END, END + TimeUnit.MILLISECONDS.toNanos(2));
  }

  @Test
  void aNameNodeThatIsAwayIsAskedAgain() throws Exception {
    assertThat(wait.until(END, looks(2, new ConnectException("failing over"), 1, 0)))
        .isEqualTo(new HdfsWait.Left(0, null, true));
    assertThat(pauses).hasSize(3);
  }

  @Test
  void oneThatStaysAwayIsNotTakenForDone() throws Exception {
    IOException away = new ConnectException("away");
    assertThat(wait.until(END, looks(2, away))).isEqualTo(new HdfsWait.Left(0, away, true));
    assertThat(now).isGreaterThanOrEqualTo(END);
  }

  @Test
  void anAnswerThatNoTimeChangesIsNotWaitedFor() throws Exception {
    for (IOException last :
        List.of(
            new NameNodePlugin.OlderPlugin("does not know"), new FileNotFoundException("/gone"))) {
      assertThat(wait.until(END, looks(last))).isEqualTo(new HdfsWait.Left(0, last, false));
    }
    assertThat(pauses).isEmpty();
  }
}
