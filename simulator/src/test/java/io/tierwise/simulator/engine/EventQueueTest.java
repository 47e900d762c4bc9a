package io.tierwise.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queue's order is that of a plain heap, whatever the stream of events looks like. */
class EventQueueTest {
  private record Event(long tick, long sequence, int handler, long argument) {}

  /** How far ahead of the present events are scheduled. */
  private enum Stream {
    EXPONENTIAL {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return (long) (-Math.log(1 - random.nextDouble()) * 1e12);
      }
    },
    ALL_AT_ONE_TICK {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return now < 1000 ? 1000 - now : 0;
      }
    },
    FEW_TICKS {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return random.nextInt(3);
      }
    },
    NEARER_AND_NEARER {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return Math.max(0, 1_000_000_000_000_000L - 17L * i - now);
      }
    },
    FARTHER_AND_FARTHER {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return 1L << random.nextInt(58);
      }
    },
    MANY_NEAR_FEW_FAR {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return random.nextInt(100) == 0
            ? random.nextLong(1_000_000_000_000_000L)
            : random.nextLong(1000);
      }
    },
    CLUSTERS_FAR_APART {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        return random.nextInt(20) * 1_000_000_000_000L + random.nextInt(5);
      }
    },
    WAVES_ON_THE_SECOND {
      @Override
      long delay(RandomGenerator random, long now, int i) {
        long second = 1_000_000_000_000L;
        return random.nextBoolean() ? second - now % second : random.nextLong(second / 1000);
      }
    };

    abstract long delay(RandomGenerator random, long now, int i);
  }

  private final EventQueue queue = new EventQueue();
  private final PriorityQueue<Event> heap =
      new PriorityQueue<>(Comparator.comparingLong(Event::tick).thenComparingLong(Event::sequence));
  private long sequence;
  private long now;

  @ParameterizedTest
  @EnumSource(Stream.class)
  void keepsTheOrderOfAHeapWhileManyEventsArePending(Stream stream) {
    compare(stream, new SplittableRandom(7), 20_000, 30_000);
  }

  @Property(tries = 200)
  void keepsTheOrderOfAHeapForAnyMixOfStreams(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueueTest fresh = new EventQueueTest();
    for (int phase = 0; phase < 5; phase++) {
      Stream stream = Stream.values()[random.nextInt(Stream.values().length)];
      fresh.compare(stream, random, random.nextInt(400), random.nextInt(400));
    }
    fresh.drain();
  }

  @Test
  void worksAgainAfterItRanEmpty() {
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 300; i++) {
        add(now + (i * 7919L) % 1000);
      }
      drain();
      assertThat(queue.minTick()).isEqualTo(Ticks.NEVER);
    }
  }

  @Test
  void takesEventsUpToTheLastTickBeforeNever() {
    add(Ticks.NEVER - 1);
    add(0);
    add(Ticks.NEVER - 1);
    for (int i = 0; i < 200; i++) {
      add(Ticks.NEVER - 2 - i);
    }
    drain();
  }

  /** Fills up to a number of events, then removes and adds in turn. */
  private void compare(Stream stream, RandomGenerator random, int pending, int turns) {
    for (int i = 0; i < pending; i++) {
      add(later(stream.delay(random, now, i)));
    }
    for (int i = 0; i < turns; i++) {
      remove();
      // One for one in the mean, with runs of none and of several.
      for (int j = random.nextInt(3); j > 0; j--) {
        add(later(stream.delay(random, now, pending + i)));
      }
    }
  }

  private long later(long delay) {
    return Math.min(Ticks.NEVER - 1, now + Math.min(delay, Ticks.NEVER - 1 - now));
  }

  private void add(long tick) {
    int handler = (int) (sequence % 5);
    heap.add(new Event(tick, sequence, handler, -sequence));
    queue.add(tick, sequence, handler, -sequence);
    sequence++;
  }

  private void remove() {
    Event expected = heap.poll();
    if (expected == null) {
      return;
    }
    Event actual =
        new Event(queue.minTick(), queue.minSequence(), queue.minHandler(), queue.minArgument());
    if (!actual.equals(expected)) {
      assertThat(actual).isEqualTo(expected);
    }
    queue.removeMin();
    now = expected.tick();
    if (queue.size() != heap.size()) {
      assertThat(queue.size()).isEqualTo(heap.size());
    }
  }

  private void drain() {
    while (!heap.isEmpty()) {
      remove();
    }
    assertThat(queue.size()).isZero();
    now = 0;
  }
}
