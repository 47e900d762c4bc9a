package io.tierwise.policies.heat;

/**
 * Knows an open that continues a read: a client asks for the places of ten blocks at a time, and
 * each call is an open. A table that forgets: of two readers on one slot the earlier is forgotten,
 * and its next call counts as a read of its own.
 */
final class RecentOpens {
  /** Own: 8 MiB, two and more for each of the readers that a large NameNode serves in a minute. */
  private static final int BITS = 20;

  private final long[] slots = new long[1 << BITS];
  private final long gapMillis;

  RecentOpens(long gapMillis) {
    this.gapMillis = gapMillis;
  }

  /**
   * Notes an open.
   *
   * @param hash of file and reader
   * @return whether the same reader opened the same file within the gap
   */
  boolean continues(long hash, long millis) {
    int slot = (int) (hash >>> (Long.SIZE - BITS));
    // 28 bits of the hash and 36 of the time in tenths of a second.
    long mark = hash << 36;
    long tenths = millis / 100;
    long seen = slots[slot];
    slots[slot] = mark | tenths;
    long age = tenths - (seen & 0xfffffffffL);
    return seen != 0 && seen >>> 36 == mark >>> 36 && age >= 0 && age * 100 <= gapMillis;
  }
}
