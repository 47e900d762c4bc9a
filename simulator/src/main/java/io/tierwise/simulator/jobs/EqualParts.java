package io.tierwise.simulator.jobs;

/**
 * Whole bytes in equal parts, of which the last one has what does not divide, too: they add up to
 * all bytes. Own: with a byte more for some of them instead, tasks that start together would end in
 * two groups, and a run would have more events.
 */
final class EqualParts {
  private EqualParts() {}

  /**
   * Bytes before a part, of so many.
   *
   * @param index from 0 to {@code count}, which is behind the last one
   */
  static long before(long bytes, int index, int count) {
    return index == count ? bytes : bytes / count * index;
  }

  /** Bytes of a part, the one at {@code index} of so many. */
  static long of(long bytes, int index, int count) {
    return before(bytes, index + 1, count) - before(bytes, index, count);
  }
}
