package io.tierwise.policies.movement;

/**
 * A file with replicas in the tier that is to be flushed.
 *
 * @param usedMillis when it was used last, in milliseconds of any clock that all candidates share
 * @param bytes of its replicas in the tier that would leave
 */
public record FlushCandidate(String path, long usedMillis, long bytes) {
  public FlushCandidate {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " must not be negative");
    }
  }
}
