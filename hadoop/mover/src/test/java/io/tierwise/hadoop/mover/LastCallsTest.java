package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastCallsTest {
  private static final long PATIENCE_MILLIS = 300;

  /** Far more looks than the patience after a stop has. */
  private static final int LOOKS = 8;

  private final List<String> said = new ArrayList<>();

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  @Test
  void aSlowAnswerIsWaitedForUntilSomebodyStops() throws IOException {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();
    LastCalls calls =
        new LastCalls(
            () -> {
              if (looks.incrementAndGet() == LOOKS) {
                answer.countDown();
              }
              return false;
            },
            said::add,
            PATIENCE_MILLIS);

    calls.make(() -> await(answer));

    assertThat(looks).hasValueGreaterThanOrEqualTo(LOOKS);
    assertThat(said).isEmpty();
  }

  @Test
  void onceStoppedANameNodeThatHangsIsToldOfAndNotAskedAgain() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    LastCalls calls = new LastCalls(() -> true, said::add, PATIENCE_MILLIS);

    calls.make(() -> await(never));
    calls.make(asked::incrementAndGet);

    assertThat(said).singleElement().asString().startsWith("the NameNode does not answer");
    assertThat(asked).hasValue(0);
    never.countDown();
  }
}
