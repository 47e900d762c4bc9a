package io.tierwise.policies.access;

/** Spreads file ids, which are consecutive, over all 64-bit numbers; the same in every process. */
final class FileHash {
  private FileHash() {}

  /** Source: SplitMix64's finalizer (Steele, Lea, Flood 2014), variant 13 of Stafford's mixers. */
  static long mix(long fileId) {
    long z = fileId + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
