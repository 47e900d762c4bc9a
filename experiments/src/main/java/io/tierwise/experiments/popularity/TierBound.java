package io.tierwise.experiments.popularity;

import java.util.Arrays;

/**
 * The most bytes that a fast tier can serve in a window, for one who knows that window: files in
 * the order of the bytes that will be read of them for each byte that they take, the last one in
 * part. No choice of whole files is better.
 */
final class TierBound {
  private final ReadTrace trace;
  private final long capacityBytes;
  private final double[] bytesToCome;
  private double fastBytes;

  TierBound(ReadTrace trace, long capacityBytes) {
    this.trace = trace;
    this.capacityBytes = capacityBytes;
    bytesToCome = new double[trace.fileCount()];
  }

  /** Adds the window to come. */
  void add(TraceWindows windows) {
    Arrays.fill(bytesToCome, 0);
    for (int read = windows.firstRead(); read < windows.endRead(); read++) {
      bytesToCome[trace.file(read)] += trace.bytes(read);
    }
    int[] wanted = new int[windows.knownFiles()];
    int count = 0;
    for (int file = 0; file < windows.knownFiles(); file++) {
      if (bytesToCome[file] > 0) {
        wanted[count++] = file;
      }
    }
    double free = capacityBytes;
    for (int file : inOrder(wanted, count)) {
      double share = Math.min(1, free / trace.size(file));
      fastBytes += share * bytesToCome[file];
      free -= share * trace.size(file);
      if (free <= 0) {
        return;
      }
    }
  }

  private int[] inOrder(int[] files, int count) {
    return Arrays.stream(files, 0, count)
        .boxed()
        .sorted((a, b) -> Double.compare(worth(b), worth(a)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private double worth(int file) {
    return bytesToCome[file] / trace.size(file);
  }

  /** In all windows that were added. */
  long fastBytes() {
    // Rounded up: a bound stays one.
    return (long) Math.ceil(fastBytes);
  }
}
