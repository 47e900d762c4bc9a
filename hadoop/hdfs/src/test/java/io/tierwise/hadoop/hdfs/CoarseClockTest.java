package io.tierwise.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class CoarseClockTest {
  private final AtomicLong systemNanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));
  private final CoarseClock clock = new CoarseClock(systemNanos::get);

  @Test
  void itFollowsTheSystemsClock() {
    long begin = clock.read();
    pass(CoarseClock.COUNTED_MILLIS_MAX);
    awaitMillis(begin, CoarseClock.COUNTED_MILLIS_MAX);
    pass(3);
    awaitMillis(begin, CoarseClock.COUNTED_MILLIS_MAX + 3);
  }

  @Test
  void timeWithoutAProcessorIsLeftOutAndTimeGoesOn() {
    long begin = clock.read();
    pass(10_000);
    awaitMillis(begin, CoarseClock.COUNTED_MILLIS_MAX);
    pass(7);
    awaitMillis(begin, CoarseClock.COUNTED_MILLIS_MAX + 7);
  }

  /** A decision that hangs while nobody asks for another is as old as it is. */
  @Test
  void timeInWhichNobodyReadsCounts() {
    long begin = clock.read();
    await(clock::isAsleep);
    pass(10_000);
    assertThat(clock.read() - begin).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10_000));
    assertThat(clock.isAsleep()).isFalse();
    pass(7);
    awaitMillis(begin, 10_007);
  }

  @Test
  void whoeverReadsKeepsItAwake() {
    long begin = clock.read();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (System.nanoTime() < end) {
      pass(1);
      assertThat(clock.read()).isGreaterThanOrEqualTo(begin);
    }
    assertThat(clock.read()).isGreaterThan(begin);
  }

  /** No reading is older than one that was made before. */
  @Test
  void noThreadSeesTimeGoBackWhileItFallsAsleepAndWakes() throws InterruptedException {
    AtomicLong back = new AtomicLong();
    Thread[] readers = new Thread[4];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = new Thread(() -> back.addAndGet(readingsGoingBack()));
      readers[i].start();
    }
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(back).hasValue(0);
  }

  private long readingsGoingBack() {
    long back = 0;
    long last = clock.read();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100_000; i++) {
        pass(i % 1_000 == 0 ? 1 : 0);
        long now = clock.read();
        back += now < last ? 1 : 0;
        last = now;
      }
      await(clock::isAsleep);
    }
    return back;
  }

  private void pass(long millis) {
    systemNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void awaitMillis(long begin, long millis) {
    long wanted = TimeUnit.MILLISECONDS.toNanos(millis);
    await(() -> clock.read() - begin >= wanted);
    assertThat(clock.read() - begin).isEqualTo(wanted);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
