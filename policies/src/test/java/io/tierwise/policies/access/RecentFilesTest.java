package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RecentFilesTest {
  @Property(tries = 100)
  void holdsNoMoreFilesThanItHasSlotsAndFindsTheOneJustTaken(
      @ForAll @IntRange(min = 1, max = 300) int fileCountMax, @ForAll long firstFile) {
    RecentFiles files = new RecentFiles(fileCountMax);
    assertThat(files.slotCount())
        .isBetween(Math.max(8, fileCountMax), 2 * Math.max(8, fileCountMax));
    for (long file = firstFile; file < firstFile + 1_000; file++) {
      int slot = files.take(file);
      assertThat(slot).isBetween(0, files.slotCount() - 1);
      assertThat(files.find(file)).isEqualTo(slot);
    }
    Set<Integer> slots = new HashSet<>();
    for (long file = firstFile; file < firstFile + 1_000; file++) {
      int slot = files.find(file);
      assertThat(slot == RecentFiles.NONE || slots.add(slot)).isTrue();
    }
  }

  @Example
  void forgetsTheLeastRecentlyUsedOfItsSet() {
    RecentFiles files = new RecentFiles(8);
    for (long file = 1; file <= 8; file++) {
      files.take(file);
    }
    files.find(1);
    files.take(9);
    assertThat(files.find(1)).isNotEqualTo(RecentFiles.NONE);
    assertThat(files.find(2)).isEqualTo(RecentFiles.NONE);
  }
}
