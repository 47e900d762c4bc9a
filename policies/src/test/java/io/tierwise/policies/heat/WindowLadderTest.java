package io.tierwise.policies.heat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class WindowLadderTest {
  private static final int LEVELS = 6;
  private final WindowLadder ladder = new WindowLadder(LEVELS);

  private static long count(List<Integer> times, int from, int to) {
    return times.stream().filter(time -> time >= from && time < to).count();
  }

  private void assertCounts(int[] slice, int at, List<Integer> times, int now) {
    for (int level = 0; level < LEVELS; level++) {
      int length = 1 << level;
      int begin = (now >> level) << level;
      assertThat(ladder.running(slice, at, level))
          .as("running window of level %d at %d", level, now)
          .isEqualTo((int) count(times, begin, now + 1));
      for (int back = 1; back <= WindowLadder.WHOLE; back++) {
        assertThat(ladder.whole(slice, at, level, back))
            .as("window %d before the running one, level %d at %d", back, level, now)
            .isEqualTo((int) count(times, begin - back * length, begin - (back - 1) * length));
      }
    }
  }

  /** Gaps of all lengths, beyond the longest window too, against a list of all times. */
  @Property(tries = 300)
  void countsWhatAListOfAllTimesSays(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 999) int t) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] slice = new int[ladder.ints() + 3];
    int at = 3;
    ladder.start(slice, at, t);
    List<Integer> times = new ArrayList<>();
    int now = t;
    for (int i = 0; i < 60; i++) {
      now += random.nextInt(1 << random.nextInt(8));
      if (random.nextInt(4) > 0) {
        ladder.add(slice, at, now, 1);
        times.add(now);
      } else {
        ladder.advance(slice, at, now);
      }
      assertCounts(slice, at, times, now);
    }
  }

  @Property(tries = 100)
  void mergedCountsAreThoseOfBoth(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] slices = new int[2][ladder.ints()];
    List<Integer> times = new ArrayList<>();
    int latest = 0;
    for (int[] slice : slices) {
      ladder.start(slice, 0, 0);
      int now = 0;
      for (int i = 0; i < 30; i++) {
        now += random.nextInt(9);
        ladder.add(slice, 0, now, 1);
        times.add(now);
      }
      latest = Math.max(latest, now);
    }
    ladder.merge(slices[0], 0, slices[1], 0);

    assertCounts(slices[0], 0, times, latest);
  }
}
