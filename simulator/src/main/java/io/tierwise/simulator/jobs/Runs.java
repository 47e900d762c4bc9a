package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;

/** The sorted runs that an attempt has on a temporary volume, and what is left to do with them. */
final class Runs {
  /** Where they are, or {@link ClusterView#NONE} on a node that keeps them in memory. */
  final int volume;

  /** Bytes that stay when the attempt is done: what the last merge wrote. */
  final long keptBytes;

  /** Bytes that merges read between two seeks, and those that the last one does. */
  final double bytesPerSeek;

  final double lastBytesPerSeek;

  /** At most so many bytes are written in one go. */
  final long pieceBytes;

  long leftToWrite;
  long leftToMerge;

  /** Whether the piece under way is of a merge. */
  boolean merges;

  /** Where the volume's buffer was before the first byte, and after the last that is to go. */
  long firstMark;

  long lastMark;

  /** Bytes between both marks. */
  long bytesToGo;

  Runs(
      int volume,
      long bytes,
      long mergeBytes,
      long keptBytes,
      long pieceBytes,
      double bytesPerSeek,
      double lastBytesPerSeek) {
    this.volume = volume;
    this.keptBytes = keptBytes;
    this.bytesPerSeek = bytesPerSeek;
    this.lastBytesPerSeek = lastBytesPerSeek;
    this.pieceBytes = pieceBytes;
    this.leftToWrite = bytes;
    this.leftToMerge = mergeBytes;
  }

  /** Bytes of the next piece; 0 when all is done. */
  long next() {
    merges = leftToWrite == 0;
    return Math.min(pieceBytes, merges ? leftToMerge : leftToWrite);
  }

  /**
   * A piece is written.
   *
   * @param mark where the volume's buffer is now
   */
  void done(long piece, long mark) {
    if (merges) {
      leftToMerge -= piece;
    } else {
      leftToWrite -= piece;
    }
    if (leftToWrite + leftToMerge >= keptBytes) {
      bytesToGo += piece;
      lastMark = mark;
    }
  }
}
