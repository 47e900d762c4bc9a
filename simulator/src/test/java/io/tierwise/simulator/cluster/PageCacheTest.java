package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PageCacheTest {
  @Test
  void theLeastRecentlyUsedEntryGoesFirst() {
    PageCache cache = new PageCache(100);
    cache.add(1, 40);
    cache.add(2, 40);
    assertThat(cache.touch(1)).isTrue();
    cache.add(3, 40);
    assertThat(cache.touch(2)).isFalse();
    assertThat(cache.touch(1)).isTrue();
    assertThat(cache.touch(3)).isTrue();
    assertThat(cache.usedBytes()).isEqualTo(80);
  }

  @Test
  void anEntryThatDoesNotFitDisplacesNothing() {
    PageCache cache = new PageCache(100);
    cache.add(1, 40);
    cache.add(2, 101);
    assertThat(cache.touch(1)).isTrue();
    assertThat(cache.touch(2)).isFalse();
  }

  @Test
  void anEntryThatGrowsBeyondTheCacheKeepsItsNewestPart() {
    PageCache cache = new PageCache(100);
    cache.add(7, 40);
    assertThat(cache.share(7)).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      cache.add(1, 40);
    }
    assertThat(cache.share(1)).as("100 of 400 bytes").isEqualTo(0.25);
    assertThat(cache.share(7)).as("went first").isZero();
    assertThat(cache.usedBytes()).isEqualTo(100);
  }

  /** Against a map in order of use, which is the definition. */
  @Test
  void behavesAsAListInOrderOfUse() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 20; round++) {
      long capacity = 1 + random.nextLong(500);
      PageCache cache = new PageCache(capacity);
      Map<Long, Long> expected = new LinkedHashMap<>(16, 0.75f, true);
      for (int step = 0; step < 2000; step++) {
        long key = random.nextLong(60) << random.nextInt(40);
        if (random.nextInt(3) == 0) {
          assertThat(cache.touch(key)).isEqualTo(expected.get(key) != null);
        } else {
          long bytes = random.nextLong(capacity / 3 + 2);
          cache.add(key, bytes);
          addTo(expected, key, bytes, capacity);
        }
        long used = expected.values().stream().mapToLong(Long::longValue).sum();
        assertThat(cache.usedBytes()).isEqualTo(used);
      }
    }
  }

  private static void addTo(Map<Long, Long> entries, long key, long bytes, long capacity) {
    if (!entries.containsKey(key) && bytes > capacity) {
      return;
    }
    entries.merge(key, bytes, Long::sum);
    long used = entries.values().stream().mapToLong(Long::longValue).sum();
    while (used > capacity && entries.size() > 1) {
      Map.Entry<Long, Long> oldest = entries.entrySet().iterator().next();
      used -= oldest.getValue();
      entries.remove(oldest.getKey());
    }
    if (used > capacity) {
      entries.put(key, capacity);
    }
  }
}
