package io.tierwise.hadoop.hdfs.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventRingTest {
  @Test
  void givesBackInOrderAndRefusesWhenFull() {
    EventRing<Integer> ring = new EventRing<>(5);
    assertThat(ring.capacity()).isEqualTo(8);
    for (int lap = 0; lap < 3; lap++) {
      for (int i = 0; i < 8; i++) {
        assertThat(ring.offer(i)).isTrue();
      }
      assertThat(ring.offer(8)).isFalse();
      assertThat(ring.size()).isEqualTo(8);
      for (int i = 0; i < 8; i++) {
        assertThat(ring.poll()).isEqualTo(i);
      }
      assertThat(ring.poll()).isNull();
      assertThat(ring.size()).isZero();
    }
  }

  /** Every event that was taken comes out once, and those of a writer in their order. */
  @Test
  @Timeout(60)
  void losesNothingBetweenManyWriters() throws InterruptedException {
    EventRing<long[]> ring = new EventRing<>(64);
    int writers = 4;
    int each = 50_000;
    AtomicLong refused = new AtomicLong();
    AtomicBoolean ended = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int id = writer;
      Thread thread =
          new Thread(
              () -> {
                for (long i = 0; i < each; i++) {
                  if (!ring.offer(new long[] {id, i})) {
                    refused.incrementAndGet();
                    Thread.onSpinWait();
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    Thread ender =
        new Thread(
            () -> {
              try {
                for (Thread thread : threads) {
                  thread.join();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              ended.set(true);
            });
    ender.start();
    long[] last = {-1, -1, -1, -1};
    long taken = 0;
    while (true) {
      boolean over = ended.get();
      long[] event = ring.poll();
      if (event != null) {
        taken++;
        assertThat(event[1]).isGreaterThan(last[(int) event[0]]);
        last[(int) event[0]] = event[1];
      } else if (over) {
        break;
      }
    }
    ender.join();

    assertThat(taken + refused.get()).isEqualTo((long) writers * each);
    assertThat(taken).isPositive();
  }
}
