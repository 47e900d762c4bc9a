package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LearnedFilesTest {
  private final LearnedFiles learned = new LearnedFiles();

  private List<Long> due(long seconds) {
    return learned.due(TimeUnit.SECONDS.toNanos(seconds));
  }

  private boolean knows(long file, long seconds) {
    return learned.knows(file, TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Its replicas may be reported late, and a file may be written for long. */
  @Test
  void aFileIsLookedAtThreeTimesAndThenForgotten() {
    learned.tell(7);
    assertThat(due(0)).isEmpty();
    assertThat(due(2)).containsExactly(7L);
    assertThat(due(11)).isEmpty();
    assertThat(due(12)).containsExactly(7L);
    assertThat(due(71)).isEmpty();
    assertThat(knows(7, 71)).isTrue();
    assertThat(due(72)).containsExactly(7L);
    assertThat(knows(7, 72)).isFalse();
    assertThat(due(1_000)).isEmpty();
  }

  @Test
  void aFileThatIsToldOfAgainKeepsItsTurn() {
    learned.tell(7);
    assertThat(due(0)).isEmpty();
    learned.tell(7);
    learned.tell(8);
    assertThat(due(1)).isEmpty();
    assertThat(due(2)).containsExactly(7L);
    assertThat(due(3)).containsExactly(8L);
  }

  @Test
  void anotherHostKnowsNothing() {
    learned.tell(7);
    assertThat(knows(7, 0)).isTrue();
    learned.tell(8);
    learned.clear();
    assertThat(knows(7, 1)).isFalse();
    assertThat(due(100)).isEmpty();
  }

  @Test
  void moreFilesThanItHoldsAreLeftToTheWalk() {
    for (long file = 0; file < 10_000; file++) {
      learned.tell(file);
    }
    assertThat(due(0)).isEmpty();
    for (long file = 10_000; file < 20_000; file++) {
      learned.tell(file);
    }

    assertThat(due(2)).hasSize(4_096).doesNotHaveDuplicates().allMatch(file -> file < 4_096);
    assertThat(due(4)).as("of those that came later").isEmpty();
  }
}
