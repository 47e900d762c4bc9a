package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;

/** The sorted runs that an attempt has on a temporary volume, and what is left to do with them. */
final class Runs {
  /** Where they are, or {@link ClusterView#NONE} on a node that keeps them in memory. */
  final int volume;

  /** Share of the attempt's input or output that was spilled to them; memory keeps the rest. */
  final double spilledShare;

  /** Bytes that stay when the attempt is done: what the last merge wrote. */
  final long keptBytes;

  /** Bytes that merges read between two seeks, and those that the last one does. */
  final double bytesPerSeek;

  final double lastBytesPerSeek;

  /** At most so many bytes are written in one go. */
  final long pieceBytes;

  /** Bytes that are spilled while the input comes, for each byte of it; 0 for none. */
  private double meanwhileShare;

  /** Bytes that are to be spilled when all of it is there. */
  private long afterwardsBytes;

  private long leftToWrite;
  private long leftToMerge;

  /** Whether they are of what the attempt takes in, and not of what it leaves. */
  boolean isOfInput;

  /** Whether the piece under way is of a merge. */
  boolean merges;

  /** Whether the piece under way stays when the attempt is done. */
  boolean isKept;

  /** Whether the last merge has read them: nobody reads them again. */
  boolean areRead;

  Runs(
      int volume,
      long bytes,
      double spilledShare,
      long mergeBytes,
      long keptBytes,
      long pieceBytes,
      double bytesPerSeek,
      double lastBytesPerSeek) {
    this.volume = volume;
    this.spilledShare = spilledShare;
    this.keptBytes = keptBytes;
    this.bytesPerSeek = bytesPerSeek;
    this.lastBytesPerSeek = lastBytesPerSeek;
    this.pieceBytes = pieceBytes;
    this.leftToWrite = bytes;
    this.leftToMerge = mergeBytes;
  }

  /** So many bytes are spilled while the input comes. */
  void spillMeanwhile(long bytes, double inputBytes) {
    meanwhileShare = (double) bytes / inputBytes;
    afterwardsBytes = leftToWrite - bytes;
  }

  /**
   * Bytes to spill while so much of the input comes; none any more when what should have been
   * spilled so was spilled since.
   */
  long meanwhileBytes(double inputBytes) {
    long left = Math.max(0, leftToWrite - afterwardsBytes);
    return Math.min(left, Math.round(meanwhileShare * inputBytes));
  }

  /** So many bytes were spilled while the input came. */
  void doneMeanwhile(long bytes) {
    leftToWrite -= bytes;
  }

  /** Bytes of the next piece; 0 when all is done. */
  long next() {
    merges = leftToWrite == 0;
    long left = merges ? leftToMerge : leftToWrite;
    long toDelete = leftToWrite + leftToMerge - keptBytes;
    isKept = toDelete <= 0;
    return Math.min(pieceBytes, isKept ? left : Math.min(left, toDelete));
  }

  /** A piece is written. */
  void done(long piece) {
    if (merges) {
      leftToMerge -= piece;
    } else {
      leftToWrite -= piece;
    }
  }
}
