package io.tierwise.policies.heat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class KeyIndexTest {
  /** Keys that crowd a few places, added and removed, against a map. */
  @Property(tries = 30)
  void findsWhatAMapFinds(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    KeyIndex index = new KeyIndex();
    Map<Long, Integer> expected = new HashMap<>();
    long[] keys = new long[3_000];
    for (int row = 0; row < keys.length; row++) {
      // The upper bits choose the place: few of them differ, and some keys share their upper half.
      keys[row] = ((long) random.nextInt(64) << 52) | (random.nextInt(100) * 7L);
    }
    for (int step = 0; step < 20_000; step++) {
      int row = random.nextInt(keys.length);
      Integer held = expected.get(keys[row]);
      assertThat(index.find(keys[row], each -> keys[each])).isEqualTo(held == null ? -1 : held);
      if (held == null) {
        index.add(keys[row], row);
        expected.put(keys[row], row);
      } else if (random.nextBoolean()) {
        index.remove(keys[row], held);
        expected.remove(keys[row]);
      }
    }
  }
}
