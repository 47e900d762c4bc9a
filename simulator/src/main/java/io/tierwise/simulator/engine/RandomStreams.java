package io.tierwise.simulator.engine;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Random numbers of a run: one stream for each component, so that a change in how many numbers one
 * component draws leaves what the others draw as it was (common random numbers), and the order in
 * which components are made does not matter.
 */
public final class RandomStreams {
  private final long seed;

  /** Streams of one run: equal seeds give equal streams, on any machine. */
  public RandomStreams(long seed) {
    this.seed = seed;
  }

  /**
   * A fresh stream that depends on the run's seed, the component's name and the index only; asked
   * twice, it starts twice.
   */
  public RandomGenerator stream(String component, long index) {
    long state = mixed(seed);
    for (int i = 0; i < component.length(); i++) {
      state = mixed(state ^ component.charAt(i));
    }
    // The name's length separates ("a", 'b') from ("ab", ...): an index is no further character.
    state = mixed(state + component.length());
    return new SplittableRandom(mixed(state ^ mixed(index)));
  }

  /** The finalizer of SplitMix64: every bit of the input changes half of the output's bits. */
  private static long mixed(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
