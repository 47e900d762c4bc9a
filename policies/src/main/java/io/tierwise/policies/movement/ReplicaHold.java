package io.tierwise.policies.movement;

import java.util.Arrays;

/**
 * Keeps numbers of replicas from flapping: what a host remembers of earlier windows. A file gets
 * fewer replicas only when so many windows in a row asked for fewer, and is left alone for so many
 * windows after a change.
 *
 * <p>Own: one number for both. A change that is held for h windows is worth the reads of h windows.
 * Files have the numbers of the host's feed. Not safe for concurrent use.
 */
public final class ReplicaHold {
  private final int windows;
  private final double windowSeconds;
  private int[] lowWindows = new int[0];
  private int[] lowMost = new int[0];

  /** Holds for so many windows of that length. */
  public ReplicaHold(int windows, double windowSeconds) {
    if (windows < 1) {
      throw new IllegalArgumentException("hold of " + windows + " windows; 1 or more is allowed");
    }
    this.windows = windows;
    this.windowSeconds = windowSeconds;
  }

  public int windows() {
    return windows;
  }

  private void grow(int file) {
    if (file >= lowWindows.length) {
      int length = Math.max(file + 1, lowWindows.length + (lowWindows.length >> 1));
      lowWindows = Arrays.copyOf(lowWindows, length);
      lowMost = Arrays.copyOf(lowMost, length);
    }
  }

  /** The number is that of another file from now on, or the file was changed. */
  public void forget(int file) {
    grow(file);
    lowWindows[file] = 0;
  }

  /** Notes, once a window, how many replicas a file has and how many are wanted. */
  public void note(int file, int now, int wanted) {
    grow(file);
    if (wanted >= now) {
      lowWindows[file] = 0;
      return;
    }
    lowMost[file] = lowWindows[file] == 0 ? wanted : Math.max(lowMost[file], wanted);
    lowWindows[file]++;
  }

  /** Whether a file that was changed then is left alone. */
  public boolean isHeld(double changedSeconds, double nowSeconds) {
    return nowSeconds - changedSeconds < windows * windowSeconds;
  }

  /** The number of windows in a row that have asked for fewer. */
  public int lowWindows(int file) {
    grow(file);
    return lowWindows[file];
  }

  /** The number that a file may get: fewer only when enough windows asked for no more than that. */
  public int allowed(int file, int now, int wanted) {
    grow(file);
    if (wanted >= now) {
      return wanted;
    }
    return lowWindows[file] >= windows ? Math.max(wanted, lowMost[file]) : now;
  }
}
