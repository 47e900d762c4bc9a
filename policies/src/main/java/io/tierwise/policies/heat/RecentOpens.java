package io.tierwise.policies.heat;

/**
 * Knows when a reader last asked to open a file. A table that forgets: of two readers on one slot
 * the earlier is forgotten.
 */
final class RecentOpens {
  static final long NONE = -1;

  private static final int TIME_BITS = 36;
  private static final long TIME_MASK = (1L << TIME_BITS) - 1;
  private static final long TENTH_MILLIS = 100;

  private final long[] slots;
  private final int bits;
  private final long gapMillis;

  /**
   * @param bits 2 to this power slots, of 8 bytes
   * @param gapMillis what is longer ago is forgotten
   */
  RecentOpens(int bits, long gapMillis) {
    this.bits = bits;
    this.gapMillis = gapMillis;
    slots = new long[1 << bits];
  }

  /**
   * Notes an open.
   *
   * @param hash of file and reader
   * @return as {@link #last}, before this one
   */
  long note(long hash, long millis) {
    long before = last(hash, millis);
    // 28 bits of the hash and 36 of the time in tenths of a second.
    slots[slot(hash)] = hash << TIME_BITS | millis / TENTH_MILLIS;
    return before;
  }

  /**
   * When the same reader last opened the same file, up to a tenth of a second earlier than it was;
   * {@link #NONE} when that is not within the gap.
   */
  long last(long hash, long millis) {
    long seen = slots[slot(hash)];
    long tenths = seen & TIME_MASK;
    long ageMillis = (millis / TENTH_MILLIS - tenths) * TENTH_MILLIS;
    boolean same = seen != 0 && seen >>> TIME_BITS == hash << TIME_BITS >>> TIME_BITS;
    return same && ageMillis >= 0 && ageMillis <= gapMillis ? tenths * TENTH_MILLIS : NONE;
  }

  private int slot(long hash) {
    return (int) (hash >>> (Long.SIZE - bits));
  }
}
