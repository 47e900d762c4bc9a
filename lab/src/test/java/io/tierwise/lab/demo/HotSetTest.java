package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HotSetTest {
  private static final HotSet HOT_SET = new HotSet(24, 7, 6, 6, 2, 2, 1);

  @Test
  void everyReaderReadsAllHotFilesAndOthersThatNobodyElseReads() {
    for (int phase = 0; phase < HOT_SET.phases(); phase++) {
      Map<Integer, Integer> reads = new HashMap<>();
      List<List<Integer>> ofReaders = new ArrayList<>();
      for (List<Integer> together : HOT_SET.reads(phase)) {
        for (int reader = 0; reader < together.size(); reader++) {
          reads.merge(together.get(reader), 1, Integer::sum);
          if (ofReaders.size() <= reader) {
            ofReaders.add(new ArrayList<>());
          }
          ofReaders.get(reader).add(together.get(reader));
        }
      }

      List<Integer> hot = HOT_SET.hot(phase);
      reads.forEach((file, count) -> assertThat(count).isEqualTo(hot.contains(file) ? 6 : 1));
      assertThat(reads).hasSize(6 + 12);
      assertThat(ofReaders).hasSize(6).allSatisfy(own -> assertThat(own).doesNotHaveDuplicates());
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
    assertThat(HOT_SET.reads(3)).isEqualTo(new HotSet(24, 7, 6, 6, 2, 2, 1).reads(3));
    assertThat(HOT_SET.reads(3)).isNotEqualTo(new HotSet(24, 7, 6, 6, 2, 2, 2).reads(3));
  }

  @Test
  void tooFewFilesAreRefused() {
    assertThatThrownBy(() -> new HotSet(17, 7, 6, 6, 2, 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("17 files are too few");
  }
}
