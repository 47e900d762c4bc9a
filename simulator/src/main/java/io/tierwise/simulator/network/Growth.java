package io.tierwise.simulator.network;

/**
 * To which length an array grows that holds something of each flow. Large ones grow by a little
 * only: what nobody uses yet is memory, too, and each element is then copied 32 times on the way to
 * a peak that a run has once.
 */
final class Growth {
  /** Own: below this length no array counts beside the rest of the program. */
  private static final int LARGE = 4096;

  private static final int LARGE_SHIFT = 5;

  private Growth() {}

  /** At least one more than {@code length}. */
  static int after(int length) {
    return length + 1 + (length >> (length < LARGE ? 1 : LARGE_SHIFT));
  }
}
