package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
    cache.append(7, 40);
    assertThat(cache.share(7)).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      cache.append(1, 40);
    }
    assertThat(cache.share(1)).as("100 of 400 bytes").isEqualTo(0.25);
    assertThat(cache.share(7)).as("went first").isZero();
    assertThat(cache.usedBytes()).isEqualTo(100);
  }

  /** Of the first file the first 50 bytes go, and the last 10 come. */
  @Test
  void aFileThatGrowsLosesItsOldestBytesAndRemembersThem() {
    PageCache cache = new PageCache(100);
    cache.append(1, 60);
    cache.append(2, 60);
    cache.append(1, 10);
    assertThat(cache.share(1)).isEqualTo(50.0 / 70);
    assertThat(cache.share(2)).isEqualTo(50.0 / 60);
  }

  @Test
  void aFileWithoutAByteLeftIsRememberedUntilItIsRemoved() {
    PageCache cache = new PageCache(100);
    cache.append(1, 60);
    cache.add(2, 100);
    assertThat(cache.share(1)).isZero();
    cache.append(1, 20);
    assertThat(cache.touch(2)).as("blocks go as wholes").isFalse();
    assertThat(cache.share(1)).isEqualTo(20.0 / 80);
    cache.append(3, 250);
    assertThat(cache.share(3)).as("its last bytes").isEqualTo(100.0 / 250);
    cache.clear();
    assertThat(cache.usedBytes()).isZero();
    cache.remove(1);
    cache.append(1, 20);
    assertThat(cache.share(1)).isEqualTo(1);
    cache.remove(1);
    cache.remove(3);
    assertThat(cache.entryCount()).isZero();
  }

  /** What has no byte costs no device a read. */
  @Test
  void ofAFileToWhichNothingWasAddedAllIsHere() {
    PageCache cache = new PageCache(100);
    cache.append(1, 0);
    assertThat(cache.share(1)).isEqualTo(1);
    assertThat(cache.entryCount()).isZero();
  }

  /** Two reducers of 18.3 GiB with 4 GiB of cache, as in a sort of 256 GB. */
  @Test
  void filesThatGrowSideBySideShareTheCache() {
    long mib = 1L << 20;
    PageCache cache = new PageCache(4096 * mib);
    for (int piece = 0; piece < 32; piece++) {
      cache.append(1, 585 * mib);
      cache.append(2, 585 * mib);
    }
    double ofBoth = cache.share(1) + cache.share(2);
    assertThat(ofBoth).isCloseTo(4096.0 / (32 * 585), within(1e-9));
    assertThat(cache.share(1)).isBetween(0.09, 0.13);
  }

  @Test
  void manyFilesWithoutAByteAreFound() {
    PageCache cache = new PageCache(10);
    for (int file = 0; file < 1000; file++) {
      cache.append(file, 10);
    }
    assertThat(cache.entryCount()).isEqualTo(1000);
    for (int file = 0; file < 1000; file += 2) {
      cache.remove(file);
    }
    cache.append(501, 10);
    assertThat(cache.share(501)).isEqualTo(0.5);
    assertThat(cache.entryCount()).isEqualTo(500);
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

  /** Against the definition: files that grow beside blocks, removed and forgotten at times. */
  @Test
  void filesThatGrowBehaveAsAListOfBytesInOrderOfUse() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 20; round++) {
      long capacity = 1 + random.nextLong(300);
      PageCache cache = new PageCache(capacity);
      ByteList expected = new ByteList(capacity);
      for (int step = 0; step < 2000; step++) {
        long file = random.nextLong(40);
        int bytes = random.nextInt((int) capacity / 3 + 2);
        switch (random.nextInt(12)) {
          case 0 -> {
            cache.remove(file);
            expected.remove(file);
          }
          case 1 -> {
            cache.add(1000 + step, bytes);
            expected.add(1000 + step, bytes);
          }
          case 2 -> assertThat(cache.share(file)).isEqualTo(expected.share(file));
          case 3 -> {
            if (step % 50 == 0) {
              cache.clear();
              expected.here.clear();
            }
          }
          default -> {
            cache.append(file, bytes);
            expected.append(file, bytes);
          }
        }
        assertThat(cache.usedBytes()).isEqualTo(expected.here.size());
      }
    }
  }

  /** Every byte by its file, the one that goes first in front. */
  private static final class ByteList {
    private final long capacity;
    private final List<Long> here = new ArrayList<>();
    private final Map<Long, Long> added = new HashMap<>();

    ByteList(long capacity) {
      this.capacity = capacity;
    }

    /** A block, which goes as a whole. */
    void add(long key, int bytes) {
      if (bytes <= capacity) {
        put(key, bytes);
      }
    }

    void append(long key, int bytes) {
      if (bytes > 0) {
        added.merge(key, (long) bytes, Long::sum);
        put(key, bytes);
      }
    }

    private void put(long key, int bytes) {
      use(key);
      here.addAll(Collections.nCopies(bytes, key));
      while (here.size() > capacity) {
        long gone = here.remove(0);
        if (!added.containsKey(gone)) {
          here.removeIf(other -> other == gone);
        }
      }
    }

    double share(long key) {
      use(key);
      long total = added.getOrDefault(key, 0L);
      return total == 0 ? 1 : (double) Collections.frequency(here, key) / total;
    }

    void remove(long key) {
      here.removeIf(other -> other == key);
      added.remove(key);
    }

    private void use(long key) {
      int bytes = Collections.frequency(here, key);
      here.removeIf(other -> other == key);
      here.addAll(Collections.nCopies(bytes, key));
    }
  }
}
