package io.tierwise.core.data;

/** Spreads ids, which are consecutive, over all 64-bit numbers; the same in every process. */
public final class IdHash {
  private IdHash() {}

  /** Source: SplitMix64's finalizer (Steele, Lea, Flood 2014), variant 13 of Stafford's mixers. */
  public static long mix(long id) {
    long z = id + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
