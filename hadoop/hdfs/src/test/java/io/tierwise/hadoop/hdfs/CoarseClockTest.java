package io.tierwise.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class CoarseClockTest {
  private record Moment(long systemNanos, long pausedNanos) {}

  private final AtomicReference<Moment> now =
      new AtomicReference<>(new Moment(TimeUnit.HOURS.toNanos(1), TimeUnit.MINUTES.toNanos(1)));

  /** The clock reads the system's time, then the pauses: those of the same moment here. */
  private volatile Moment seen;

  private final CoarseClock clock =
      new CoarseClock(
          () -> {
            seen = now.get();
            return seen.systemNanos;
          },
          () -> seen.pausedNanos);

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

  /** Else what waits through a pause would be taken for quick, or what does not for slow. */
  @Test
  void pausesOfTheCollectorAreLeftOutWholeAndOnce() {
    long begin = clock.read();
    long counted = 0;
    for (long paused : new long[] {7, 10_000, 0, CoarseClock.COUNTED_MILLIS_MAX}) {
      pause(paused, 3);
      counted += 3;
      awaitMillis(begin, counted);
      pass(5);
      counted += 5;
      awaitMillis(begin, counted);
    }
  }

  @Test
  void pausesWhileNobodyReadsAreLeftOut() {
    long begin = clock.read();
    await(clock::isAsleep);
    pause(4_000, 6_000);
    assertThat(clock.read() - begin).isEqualTo(TimeUnit.MILLISECONDS.toNanos(6_000));
  }

  /** Collectors count in whole milliseconds. */
  @Test
  void aPauseThatIsToldTooLongTakesNoTimeBack() {
    long begin = clock.read();
    now.updateAndGet(
        moment -> new Moment(moment.systemNanos + 100, moment.pausedNanos + 1_000_000));
    await(() -> now.get().equals(seen));
    pass(2);
    awaitMillis(begin, 2);
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
    pause(0, millis);
  }

  /** The garbage collector stops the process, and it goes on for a while. */
  private void pause(long millis, long afterMillis) {
    long paused = TimeUnit.MILLISECONDS.toNanos(millis);
    long passed = paused + TimeUnit.MILLISECONDS.toNanos(afterMillis);
    now.updateAndGet(
        moment -> new Moment(moment.systemNanos + passed, moment.pausedNanos + paused));
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
