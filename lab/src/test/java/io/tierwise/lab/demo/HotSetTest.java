package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HotSetTest {
  private static final HotSet HOT_SET = new HotSet(24, 7, 6, 6, 2, 2, 3, 1);

  @Test
  void everyReaderReadsAllHotFilesTwiceAndOthersThatNobodyElseReads() {
    for (int phase = 0; phase < HOT_SET.phases(); phase++) {
      List<List<Integer>> ofReaders = HOT_SET.reads(phase);
      Map<Integer, Integer> reads = new HashMap<>();
      ofReaders.forEach(own -> own.forEach(file -> reads.merge(file, 1, Integer::sum)));

      List<Integer> hot = HOT_SET.hot(phase);
      reads.forEach((file, count) -> assertThat(count).isEqualTo(hot.contains(file) ? 12 : 1));
      assertThat(reads).hasSize(6 + 18);
      assertThat(ofReaders)
          .hasSize(6)
          .allSatisfy(own -> assertThat(own).hasSize(2 * 6 + 3).containsAll(hot));
      assertThat(ofReaders.stream().mapToInt(List::size).sum()).isEqualTo(HOT_SET.readsOfPhase());
    }
  }

  @Test
  void aThirdOfTheHotFilesChangesFromPhaseToPhase() {
    for (int phase = 1; phase < HOT_SET.phases(); phase++) {
      HashSet<Integer> stay = new HashSet<>(HOT_SET.hot(phase));
      stay.retainAll(HOT_SET.hot(phase - 1));
      assertThat(stay).hasSize(4);
    }
  }

  @Test
  void aSeedGivesTheSameReadsAndAnotherSeedOthers() {
    assertThat(HOT_SET.reads(3)).isEqualTo(new HotSet(24, 7, 6, 6, 2, 2, 3, 1).reads(3));
    assertThat(HOT_SET.reads(3)).isNotEqualTo(new HotSet(24, 7, 6, 6, 2, 2, 3, 2).reads(3));
  }

  @Test
  void tooFewFilesAreRefused() {
    assertThatThrownBy(() -> new HotSet(23, 7, 6, 6, 2, 2, 3, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("23 files are too few");
  }
}
