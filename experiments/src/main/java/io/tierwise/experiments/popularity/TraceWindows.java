package io.tierwise.experiments.popularity;

import io.tierwise.policies.popularity.UseWindow;

/**
 * A trace cut into windows of one length: at each boundary the window that has ended, which
 * foresees the one to come. A rest of the trace that fills no window is left out.
 */
final class TraceWindows {
  private static final long BLOCK_BYTES = 128L << 20;

  private final ReadTrace trace;
  private final double windowSeconds;
  private final int count;
  private UseWindow now;
  private UseWindow next;
  private int boundary;
  private int nextRead;
  private int firstReadOfNext;
  private int seenFiles;
  private int seenFilesBefore;

  TraceWindows(ReadTrace trace, double windowSeconds) {
    this.trace = trace;
    this.windowSeconds = windowSeconds;
    count = trace.windowCount(windowSeconds);
    now = new UseWindow(trace.fileCount());
    next = new UseWindow(trace.fileCount());
    fill(next, 0);
  }

  /** Boundaries between two windows. */
  int boundaries() {
    return Math.max(0, count - 1);
  }

  /** Goes to the next boundary; false behind the last. */
  boolean advance() {
    if (boundary >= boundaries()) {
      return false;
    }
    UseWindow free = now;
    now = next;
    next = free;
    seenFilesBefore = seenFiles;
    firstReadOfNext = nextRead;
    fill(next, ++boundary);
    now.foresee(next);
    return true;
  }

  private void fill(UseWindow window, int index) {
    double end = (index + 1) * windowSeconds;
    window.begin(index * windowSeconds, end);
    while (nextRead < trace.readCount() && trace.seconds(nextRead) < end) {
      int file = trace.file(nextRead);
      window.read(file, trace.seconds(nextRead), trace.readers(nextRead));
      seenFiles = Math.max(seenFiles, file + 1);
      nextRead++;
    }
    for (int file = 0; file < seenFiles; file++) {
      long blocks = (trace.size(file) + BLOCK_BYTES - 1) / BLOCK_BYTES;
      window.keep(file, (int) Math.min(Integer.MAX_VALUE, blocks));
    }
  }

  /** The window that has ended. */
  UseWindow now() {
    return now;
  }

  /** The window to come. */
  UseWindow next() {
    return next;
  }

  /** Files that were read until the boundary are numbered below. */
  int knownFiles() {
    return seenFilesBefore;
  }

  /** The first read after the boundary. */
  int firstRead() {
    return firstReadOfNext;
  }

  /** The first read after the window to come. */
  int endRead() {
    return nextRead;
  }
}
