package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TurnQueueTest {
  /** Against a heap; most come with the newest turn, some with an older one. */
  @Test
  void theOldestTurnGoesFirst() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 100; round++) {
      TurnQueue queue = new TurnQueue();
      PriorityQueue<Long> expected = new PriorityQueue<>();
      for (int step = 0; step < 500; step++) {
        if (random.nextInt(100) < 40 + round / 4 && !expected.isEmpty()) {
          long turn = expected.remove();
          assertThat(queue.turn()).isEqualTo(turn);
          assertThat(queue.bytes()).isEqualTo(turn + 1);
          assertThat(queue.ticket()).isEqualTo(turn + 2);
          queue.listener().roomMayBe(turn);
          queue.removeFirst();
        } else {
          long turn = 10L * step - (random.nextBoolean() ? 0 : 10L * random.nextInt(20) + 5);
          expected.add(turn);
          queue.add(turn, turn + 1, told -> assertThat(told).isEqualTo(turn), turn + 2);
        }
        assertThat(queue.isEmpty()).isEqualTo(expected.isEmpty());
      }
    }
  }
}
