package io.tierwise.core.work;

import java.util.List;

/**
 * The needs of a stage, as far as its submitter or its history says. Bytes that move are those of
 * all its tasks, memory and seconds those of one.
 *
 * @param slots that it can use at the same time
 * @param taskMemoryBytes that a task holds as long as it has its slot; 0 when nobody says
 * @param inBytes read from the file system
 * @param betweenBytes handed to the stages that come after it
 * @param outBytes written to the file system, one replica
 * @param taskSeconds by kind of node how long a task has its slot; empty when nothing is known
 */
public record Demand(
    int slots,
    long taskMemoryBytes,
    long inBytes,
    long betweenBytes,
    long outBytes,
    List<Seconds> taskSeconds) {
  public Demand {
    taskSeconds = List.copyOf(taskSeconds);
    if (slots < 0 || taskMemoryBytes < 0 || inBytes < 0 || betweenBytes < 0 || outBytes < 0) {
      throw new IllegalArgumentException(
          "a demand of "
              + slots
              + " slots, "
              + taskMemoryBytes
              + " bytes of memory and "
              + inBytes
              + ", "
              + betweenBytes
              + ", "
              + outBytes
              + " bytes is negative");
    }
  }

  /** A demand whose seconds nobody knows. */
  public Demand(int slots, long taskMemoryBytes, long inBytes, long betweenBytes, long outBytes) {
    this(slots, taskMemoryBytes, inBytes, betweenBytes, outBytes, List.of());
  }

  /** All bytes that move: a measure of the stage's size. */
  public long totalBytes() {
    return inBytes + betweenBytes + outBytes;
  }

  /** A task on the kind of node that is likely to end it first, of those that are known. */
  public Seconds soonest() {
    Seconds best = Seconds.UNKNOWN;
    for (Seconds one : taskSeconds) {
      if (one.known() && !(best.likely() <= one.likely())) {
        best = one;
      }
    }
    return best;
  }
}
