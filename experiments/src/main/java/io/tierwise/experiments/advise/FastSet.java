package io.tierwise.experiments.advise;

import io.tierwise.core.data.IdHash;
import io.tierwise.core.use.ReadHistory;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Choices of the files that get a replica on a fast tier of some bytes. */
final class FastSet {
  private final ReadHistory history;
  private final long capacityBytes;

  FastSet(ReadHistory history, long capacityBytes) {
    this.history = history;
    this.capacityBytes = capacityBytes;
  }

  /** The files that are there today, as many as fit. */
  boolean[] asStored() {
    return filled(
        IntStream.range(0, history.files().size())
            .filter(file -> history.files().get(file).onFastTier())
            .toArray(),
        capacityBytes);
  }

  /**
   * The files with most reads between two reads, those of equally many in the order of size.
   *
   * @param readsMin fewer make none
   */
  boolean[] mostRead(int fromRead, int toRead, int readsMin) {
    int[] reads = new int[history.files().size()];
    for (int read = fromRead; read < toRead; read++) {
      reads[history.readFiles()[read]]++;
    }
    int[] order =
        IntStream.range(0, reads.length)
            .filter(file -> reads[file] >= readsMin)
            .boxed()
            .sorted(
                Comparator.comparingInt((Integer file) -> -reads[file])
                    .thenComparingLong(file -> history.files().get(file).bytes()))
            .mapToInt(Integer::intValue)
            .toArray();
    return filled(order, capacityBytes);
  }

  /** Files drawn blindly, of no more bytes than that: what any choice has to beat. */
  boolean[] drawn(long bytes, long seed) {
    int[] order =
        IntStream.range(0, history.files().size())
            .boxed()
            .sorted(Comparator.comparingLong(file -> IdHash.mix(file + seed)))
            .mapToInt(Integer::intValue)
            .toArray();
    return filled(order, Math.min(bytes, capacityBytes));
  }

  private boolean[] filled(int[] order, long most) {
    boolean[] chosen = new boolean[history.files().size()];
    long free = most;
    for (int file : order) {
      long size = history.files().get(file).bytes();
      chosen[file] = size <= free;
      free -= chosen[file] ? size : 0;
    }
    return chosen;
  }

  /** Bytes of the chosen files. */
  long bytes(boolean[] chosen) {
    return IntStream.range(0, chosen.length)
        .filter(file -> chosen[file])
        .mapToLong(file -> history.files().get(file).bytes())
        .sum();
  }

  /** The number of chosen files. */
  static int count(boolean[] chosen) {
    return (int) IntStream.range(0, chosen.length).filter(file -> chosen[file]).count();
  }
}
