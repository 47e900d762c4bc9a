package io.tierwise.policies.heat;

import java.util.Arrays;

/**
 * Counts of one thing in windows of 1, 2, 4, 8 ... base lengths, kept in a slice of an array: of
 * each length the two whole windows before the running one. The running window's count follows from
 * these, so an event costs one addition, and a change of window one step for each length.
 *
 * <p>With w = floor(t / 2^l) the window of level l at time t (in base lengths): P(l) counts w - 1,
 * Q(l) counts w - 2, and the running count is S(0) = c, S(l) = S(l-1) + P(l-1) when floor(t /
 * 2^(l-1)) is odd, since then the left half of w has just been completed, else S(l-1).
 *
 * <p>Own: two whole windows of each length are what a line through the last two needs, at any
 * length between a minute and a day.
 */
final class WindowLadder {
  /** Whole windows that are kept of each length. */
  static final int WHOLE = 2;

  private static final int TIME = 0;
  private static final int RUNNING = 1;
  private static final int LAST = 2;

  private final int levels;

  WindowLadder(int levels) {
    this.levels = levels;
  }

  int levels() {
    return levels;
  }

  /** Length of a slice. */
  int ints() {
    return LAST + WHOLE * levels;
  }

  /** Begins to count. */
  void start(int[] slice, int at, int time) {
    Arrays.fill(slice, at, at + ints(), 0);
    slice[at + TIME] = time;
  }

  /** Counts something now. A time before the latest one counts as the latest. */
  void add(int[] slice, int at, int time, int count) {
    advance(slice, at, time);
    slice[at + RUNNING] += count;
  }

  /** Lets time pass. */
  void advance(int[] slice, int at, int time) {
    int before = slice[at + TIME];
    if (time <= before) {
      return;
    }
    int running = slice[at + RUNNING];
    for (int level = 0; level < levels; level++) {
      int steps = (time >> level) - (before >> level);
      if (steps == 0) {
        break; // Longer windows go on.
      }
      int last = at + LAST + WHOLE * level;
      int next = running + (((before >> level) & 1) == 1 ? slice[last] : 0);
      slice[last + 1] = steps == 1 ? slice[last] : steps == 2 ? running : 0;
      slice[last] = steps == 1 ? running : 0;
      running = next;
    }
    slice[at + TIME] = time;
    slice[at + RUNNING] = 0;
  }

  /** Count of the running window. */
  int running(int[] slice, int at, int level) {
    int sum = slice[at + RUNNING];
    for (int below = 0; below < level; below++) {
      if (((slice[at + TIME] >> below) & 1) == 1) {
        sum += slice[at + LAST + WHOLE * below];
      }
    }
    return sum;
  }

  /** Count of a whole window before the running one: the last, or the one before it. */
  int whole(int[] slice, int at, int level, int back) {
    return slice[at + LAST + WHOLE * level + back - 1];
  }

  /** Adds the counts of another slice, after both have come to the same time. */
  void merge(int[] into, int intoAt, int[] from, int fromAt) {
    int time = Math.max(into[intoAt + TIME], from[fromAt + TIME]);
    advance(into, intoAt, time);
    advance(from, fromAt, time);
    for (int i = RUNNING; i < ints(); i++) {
      into[intoAt + i] += from[fromAt + i];
    }
  }

  /** The clock was set back: what was counted later than that counts as now. */
  void stepBack(int[] slice, int at, int time) {
    slice[at + TIME] = Math.min(slice[at + TIME], time);
  }
}
