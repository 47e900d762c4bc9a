package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DirtyQueueTest {
  /** Against a queue that holds every byte by its file. */
  @Test
  void theDeviceTakesTheOldestAndNobodyTheDeleted() {
    SplittableRandom random = new SplittableRandom(3);
    DirtyQueue queue = new DirtyQueue();
    Deque<Long> expected = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      long file = random.nextInt(30);
      switch (random.nextInt(8)) {
        case 0 -> {
          long before = expected.size();
          expected.removeIf(other -> other == file);
          assertThat(queue.remove(file)).isEqualTo(before - expected.size());
        }
        case 1, 2 -> {
          int bytes = random.nextInt(expected.size() + 1);
          queue.take(bytes);
          for (int i = 0; i < bytes; i++) {
            expected.remove();
          }
        }
        default -> {
          int bytes = 1 + random.nextInt(9);
          queue.add(file, bytes, step);
          for (int i = 0; i < bytes; i++) {
            expected.add(file);
          }
        }
      }
      assertThat(queue.bytes()).isEqualTo(expected.size());
    }
  }

  @Test
  void theOldestIsAsOldAsTheFirstOfItsBytesWithinFiveSeconds() {
    DirtyQueue queue = new DirtyQueue();
    queue.add(1, 10, Ticks.ofSeconds(1));
    queue.add(1, 10, Ticks.ofSeconds(4));
    queue.add(2, 5, Ticks.ofSeconds(5));
    queue.add(1, 10, Ticks.ofSeconds(6));
    queue.add(1, 10, Ticks.ofSeconds(11));

    assertThat(queue.oldestTick()).isEqualTo(Ticks.ofSeconds(1));
    queue.take(19);
    assertThat(queue.oldestTick()).isEqualTo(Ticks.ofSeconds(1));
    queue.take(1);
    assertThat(queue.oldestTick()).isEqualTo(Ticks.ofSeconds(5));
    queue.remove(2);
    assertThat(queue.oldestTick()).isEqualTo(Ticks.ofSeconds(6));
    queue.take(10);
    assertThat(queue.oldestTick()).isEqualTo(Ticks.ofSeconds(11));
  }
}
