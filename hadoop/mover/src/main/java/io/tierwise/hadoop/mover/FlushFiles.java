package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.FlushCandidate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Files that leave a tier first, in their order, found by one walk and kept for several flushes: a
 * walk goes through the whole namespace. What became of them since is looked at when they are
 * flushed.
 */
final class FlushFiles {
  /** Own: an hour of flushes that follow each other; files of 1 MB at 250 MB/s take 200 MB. */
  static final int FLUSHES = 6;

  private final Deque<FlushCandidate> left = new ArrayDeque<>();
  private List<FlushCandidate> taken = List.of();
  private boolean fresh;

  boolean isEmpty() {
    return left.isEmpty();
  }

  /** Whether a walk found them since {@link #begin}. */
  boolean isFresh() {
    return fresh;
  }

  /** How many bytes a walk is to find, when a flush takes so many at most. */
  static long bytesOfWalk(long flushBytesMax) {
    return flushBytesMax > Long.MAX_VALUE / FLUSHES ? Long.MAX_VALUE : flushBytesMax * FLUSHES;
  }

  /** Keeps what a walk found. */
  void found(List<FlushCandidate> files) {
    clear();
    left.addAll(files);
    fresh = true;
  }

  /** Takes the first files that free so many bytes, or all. */
  List<FlushCandidate> take(long bytes) {
    List<FlushCandidate> first = new ArrayList<>();
    long sum = 0;
    while (sum < bytes && !left.isEmpty()) {
      FlushCandidate file = left.pollFirst();
      first.add(file);
      sum += file.bytes();
    }
    taken = List.copyOf(first);
    return taken;
  }

  /** Those taken last were not flushed: the next flush takes them again. */
  void giveBack() {
    for (int i = taken.size() - 1; i >= 0; i--) {
      left.addFirst(taken.get(i));
    }
    taken = List.of();
  }

  /** Another flush begins. */
  void begin() {
    fresh = false;
  }

  void clear() {
    left.clear();
    taken = List.of();
    fresh = false;
  }
}
