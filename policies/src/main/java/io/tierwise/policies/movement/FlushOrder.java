package io.tierwise.policies.movement;

import java.util.Comparator;

/**
 * The order in which files leave a tier. Files with surplus replicas there come before all others,
 * and those replicas are dropped. An order is total, so the same files are chosen each time.
 */
public interface FlushOrder extends Comparator<FlushCandidate> {
  /** The file that was written longest ago first; of equal ones the one that frees most. */
  FlushOrder OLDEST =
      (one, other) -> firstBy(Long.compare(written(one), written(other)), one, other);

  /** The file that was read or written longest ago first; of equal ones as above. */
  FlushOrder UNUSED = (one, other) -> firstBy(Long.compare(used(one), used(other)), one, other);

  /**
   * The order of that name.
   *
   * @throws IllegalArgumentException naming those that there are
   */
  static FlushOrder of(String name) {
    return switch (name) {
      case "oldest" -> OLDEST;
      case "unused" -> UNUSED;
      default ->
          throw new IllegalArgumentException(
              "order \"" + name + "\" is not known; known: oldest, unused");
    };
  }

  private static long written(FlushCandidate file) {
    return file.use().writtenMillis();
  }

  private static long used(FlushCandidate file) {
    return file.use().usedMillis();
  }

  private static int firstBy(int byTime, FlushCandidate one, FlushCandidate other) {
    int byWay = one.way().compareTo(other.way());
    if (byWay != 0) {
      return byWay;
    }
    if (byTime != 0) {
      return byTime;
    }
    int byBytes = Long.compare(other.bytes(), one.bytes());
    return byBytes != 0 ? byBytes : one.path().compareTo(other.path());
  }
}
