package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

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
          queue.add(file, bytes);
          for (int i = 0; i < bytes; i++) {
            expected.add(file);
          }
        }
      }
      assertThat(queue.bytes()).isEqualTo(expected.size());
    }
  }
}
