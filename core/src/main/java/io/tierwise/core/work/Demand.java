package io.tierwise.core.work;

/**
 * The bytes that a job moves, as far as its submitter or its history says.
 *
 * @param inBytes read from the file system
 * @param betweenBytes handed from its maps to its reducers
 * @param outBytes written to the file system, one replica
 */
public record Demand(long inBytes, long betweenBytes, long outBytes) {
  /** Nothing is known, or nothing is moved. */
  public static final Demand NONE = new Demand(0, 0, 0);

  public Demand {
    if (inBytes < 0 || betweenBytes < 0 || outBytes < 0) {
      throw new IllegalArgumentException(
          "a demand of " + inBytes + ", " + betweenBytes + ", " + outBytes + " bytes is negative");
    }
  }

  /** All bytes: a measure of the job's size. */
  public long totalBytes() {
    return inBytes + betweenBytes + outBytes;
  }
}
