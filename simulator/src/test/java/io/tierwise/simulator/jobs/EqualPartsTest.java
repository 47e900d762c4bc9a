package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class EqualPartsTest {
  /** The most that a trace's job may have. */
  private static final long MOST = 1L << 60;

  @Property
  void partsAddUpToTheWholeAndAllButTheLastAreEqual(
      @ForAll @LongRange(max = MOST) long bytes, @ForAll @IntRange(min = 1, max = 500) int count) {
    long sum = 0;
    for (int part = 0; part < count; part++) {
      assertThat(EqualParts.before(bytes, part, count)).isEqualTo(sum);
      long here = EqualParts.of(bytes, part, count);
      assertThat(here - bytes / count).isBetween(0L, part == count - 1 ? count - 1L : 0);
      sum += here;
    }
    assertThat(sum).isEqualTo(bytes).isEqualTo(EqualParts.before(bytes, count, count));
  }

  /** In doubles, 49 times a 49th is less than one. */
  @Example
  void aByteIsInOneOfManyParts() {
    for (int count = 1; count < 10_000; count++) {
      assertThat(EqualParts.before(1, count, count)).isEqualTo(1);
    }
  }
}
