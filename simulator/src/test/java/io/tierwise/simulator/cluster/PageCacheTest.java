package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.BitSet;
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
    assertThat(cache.touch(1, 0, 1)).isTrue();
    cache.add(3, 40);
    assertThat(cache.touch(2, 0, 1)).isFalse();
    assertThat(cache.touch(1, 0, 1)).isTrue();
    assertThat(cache.touch(3, 0, 1)).isTrue();
    assertThat(cache.usedBytes()).isEqualTo(80);
  }

  @Test
  void anEntryThatDoesNotFitDisplacesNothing() {
    PageCache cache = new PageCache(100);
    cache.add(1, 40);
    cache.add(2, 101);
    assertThat(cache.touch(1, 0, 1)).isTrue();
    assertThat(cache.touch(2, 0, 1)).isFalse();
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
    assertThat(cache.touch(2, 0, 1)).as("blocks go as wholes").isFalse();
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

  @Test
  void aPartOfABlockIsNotTheBlock() {
    PageCache cache = new PageCache(100);
    cache.add(1, 10, 30, 60);
    assertThat(cache.touch(1, 10, 30)).isTrue();
    assertThat(cache.touch(1, 12, 20)).isTrue();
    assertThat(cache.touch(1, 0, 10)).isFalse();
    assertThat(cache.touch(1, 20, 31)).isFalse();
    assertThat(cache.alikeUntil(1, 0, 60)).isEqualTo(10);
    assertThat(cache.alikeUntil(1, 10, 60)).isEqualTo(30);
    assertThat(cache.alikeUntil(1, 30, 60)).isEqualTo(60);
    assertThat(cache.alikeUntil(2, 5, 60)).isEqualTo(60);
    assertThat(cache.usedBytes()).isEqualTo(20);
  }

  @Test
  void bytesThatAreReadTwiceAreHereOnce() {
    PageCache cache = new PageCache(100);
    cache.add(1, 60);
    cache.add(1, 60);
    assertThat(cache.usedBytes()).isEqualTo(60);
    cache.add(2, 0, 20, 40);
    cache.add(2, 10, 40, 40);
    assertThat(cache.usedBytes()).isEqualTo(100);
    assertThat(cache.touch(2, 0, 40)).isTrue();
    assertThat(cache.alikeUntil(2, 0, 40)).isEqualTo(40);
  }

  /** 100 bytes are all that fits: the part that came last stays. */
  @Test
  void aBlockLargerThanTheCacheKeepsTheLastOfItsParts() {
    PageCache cache = new PageCache(100);
    cache.add(1, 0, 70, 150);
    cache.add(1, 70, 150, 150);
    assertThat(cache.touch(1, 0, 70)).isFalse();
    assertThat(cache.touch(1, 70, 150)).isTrue();
    assertThat(cache.usedBytes()).isEqualTo(80);
  }

  /** Against a set of bytes by block, in order of use, which is the definition. */
  @Test
  void behavesAsAListInOrderOfUse() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 20; round++) {
      int capacity = 1 + random.nextInt(500);
      PageCache cache = new PageCache(capacity);
      Map<Long, BitSet> expected = new LinkedHashMap<>();
      for (int step = 0; step < 2000; step++) {
        long block = random.nextLong(60);
        int length = 1 + (int) (block * 37 % (capacity / 3 + 2));
        long key = block * 1_000_003;
        int from = random.nextInt(length);
        int to = from + 1 + random.nextInt(length - from);
        if (random.nextInt(3) == 0) {
          BitSet here = expected.getOrDefault(key, new BitSet());
          boolean isHere = here.get(from, to).cardinality() == to - from;
          assertThat(cache.touch(key, from, to)).isEqualTo(isHere);
          if (isHere) {
            expected.put(key, expected.remove(key));
          }
          long until = cache.alikeUntil(key, from, to);
          int change = here.get(from) ? here.nextClearBit(from) : here.nextSetBit(from);
          assertThat(until).isEqualTo(change < 0 ? to : Math.min(change, to));
        } else {
          if (random.nextBoolean()) {
            cache.add(key, from, to, length);
          } else {
            from = 0;
            to = length;
            cache.add(key, length);
          }
          addTo(expected, key, from, to, capacity);
        }
        assertThat(cache.usedBytes()).isEqualTo(used(expected));
      }
    }
  }

  private static long used(Map<Long, BitSet> blocks) {
    return blocks.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  private static void addTo(
      Map<Long, BitSet> blocks, long key, int from, int to, long capacityBytes) {
    if (to - from > capacityBytes) {
      return;
    }
    BitSet here = blocks.containsKey(key) ? blocks.remove(key) : new BitSet();
    here.set(from, to);
    if (here.cardinality() > capacityBytes) {
      here.clear();
      here.set(from, to);
    }
    blocks.put(key, here);
    while (used(blocks) > capacityBytes) {
      blocks.remove(blocks.keySet().iterator().next());
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
