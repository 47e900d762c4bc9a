package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RepairQueueTest {
  private static final double NOW = 1_000;

  private static Misplaced block(long id, Urgency urgency, int missing, double since) {
    return new Misplaced(id, 100 + id, 0, 7, 1, 10, missing, urgency, since);
  }

  private static Misplaced wrong(long id, double since) {
    return block(id, Urgency.WRONG_TIER, 0, since);
  }

  private static List<Long> ids(List<Misplaced> blocks) {
    return blocks.stream().map(Misplaced::blockId).toList();
  }

  @Test
  void missingCopiesComeFirstThenFallbacksThenWrongTiersAndTheOldestOfEach() {
    RepairQueue queue = new RepairQueue(10);
    queue.add(wrong(1, 5), 1);
    queue.add(block(2, Urgency.FALLBACK, 0, 9), 1);
    queue.add(block(3, Urgency.MISSING_COPY, 1, 9), 1);
    queue.add(block(4, Urgency.MISSING_COPY, 2, 9), 1);
    queue.add(wrong(5, 4), 1);

    assertThat(ids(queue.first(10, NOW))).containsExactly(4L, 3L, 2L, 5L, 1L);
    assertThat(ids(queue.first(2, NOW))).containsExactly(4L, 3L);
    assertThat(queue.bytes()).isEqualTo(50);
    assertThat(queue.oldestSinceSeconds(NOW)).isEqualTo(4);
  }

  @Test
  void whenItIsFullTheLeastUrgentIsLeftOutAndCounted() {
    RepairQueue queue = new RepairQueue(2);
    queue.add(wrong(1, 5), 1);
    queue.add(wrong(2, 6), 1);
    queue.add(block(3, Urgency.MISSING_COPY, 1, 9), 1);
    queue.add(wrong(4, 9), 1);

    assertThat(ids(queue.first(10, NOW))).containsExactly(3L, 1L);
    assertThat(queue.leftOut()).isEqualTo(2);
    assertThat(queue.bytes()).isEqualTo(20);
  }

  @Test
  void aBlockThatIsFoundAgainKeepsItsAgeAndThatItWasAFallback() {
    RepairQueue queue = new RepairQueue(10);
    queue.add(block(1, Urgency.FALLBACK, 0, 5), 1);
    queue.add(wrong(1, 50), 2);
    queue.forgetBefore(2);

    assertThat(queue.first(10, NOW)).containsExactly(block(1, Urgency.FALLBACK, 0, 5));
  }

  @Test
  void aBlockThatNoLaterWalkFoundIsForgotten() {
    RepairQueue queue = new RepairQueue(10);
    queue.add(wrong(1, 5), 1);
    queue.add(wrong(2, 5), 2);
    queue.forgetBefore(2);

    assertThat(ids(queue.first(10, NOW))).containsExactly(2L);
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.bytes()).isEqualTo(10);
  }

  @Test
  void aBlockWhoseRepairFailedWaitsLongerEachTimeAndBehindAllOthers() {
    RepairQueue queue = new RepairQueue(10);
    queue.add(block(1, Urgency.MISSING_COPY, 1, 5), 1);
    queue.add(wrong(2, 5), 1);
    queue.failed(1, NOW);

    assertThat(ids(queue.first(10, NOW + 59))).containsExactly(2L);
    assertThat(ids(queue.first(10, NOW + 60))).containsExactly(2L, 1L);
    queue.failed(1, NOW + 60);
    assertThat(ids(queue.first(10, NOW + 179))).containsExactly(2L);
    for (int i = 0; i < 20; i++) {
      queue.failed(1, NOW);
    }
    assertThat(ids(queue.first(10, NOW + RepairQueue.RETRY_SECONDS_MAX))).contains(1L);
  }

  @Test
  void whatIsLentIsNotLentAgainBeforeItsTime() {
    RepairQueue queue = new RepairQueue(10);
    queue.add(wrong(1, 5), 1);
    queue.add(wrong(2, 6), 1);

    assertThat(ids(queue.lend(1, NOW, 30))).containsExactly(1L);
    assertThat(ids(queue.lend(5, NOW, 30))).containsExactly(2L);
    assertThat(queue.lend(5, NOW + 29, 30)).isEmpty();
    assertThat(ids(queue.lend(5, NOW + 30, 30))).containsExactly(1L, 2L);
    assertThat(queue.drop(1)).contains(wrong(1, 5));
    assertThat(queue.drop(1)).isEmpty();
  }
}
