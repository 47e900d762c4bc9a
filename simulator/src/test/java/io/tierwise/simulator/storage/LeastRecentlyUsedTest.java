package io.tierwise.simulator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that makes room for others, against one that looks through all files. */
class LeastRecentlyUsedTest {
  private static final int STEPS = 20_000;
  private static final int PATHS = 4;

  private final Namespace namespace = new Namespace(1, 1 << 20);

  /** By last use, the oldest first. */
  private final List<StoredFile> byUse = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void itIsTheOneThatWasUsedLongestAgoOfThoseThatAreNotOpen(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int found = 0;
    for (int step = 0; step < STEPS; step++) {
      change(random);
      StoredFile expected = byUse.stream().filter(file -> !file.isOpen()).findFirst().orElse(null);
      assertThat(namespace.leastRecentlyUsed()).isSameAs(expected);
      found += expected == null ? 0 : 1;
    }
    assertThat(found)
        .as("often there is one, and often not")
        .isBetween(STEPS / 100, STEPS - STEPS / 100);
  }

  private void change(RandomGenerator random) {
    String path = "/" + random.nextInt(PATHS);
    StoredFile known = namespace.find(path);
    if (known == null) {
      byUse.add(namespace.create(path, 1, 1));
      // Nobody asks for it by name, so it never makes room.
      namespace.create("", 1, 1);
      return;
    }
    byUse.remove(known);
    byUse.add(known);
    switch (random.nextInt(6)) {
      case 0, 1 -> known.opened();
      case 2 -> known.setBeingWritten(!known.isBeingWritten());
      case 3 -> {
        if (!known.isOpen()) {
          byUse.remove(known);
          namespace.remove(known);
        }
      }
      default -> {
        if (known.readerCount() > 0) {
          known.closed();
        }
      }
    }
  }
}
