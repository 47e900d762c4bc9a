package io.tierwise.simulator.measure;

import java.util.List;

/**
 * The outcome of a movement.
 *
 * @param path of the files
 * @param placement the policy that they were brought to
 * @param complete false when the run ended before it
 * @param startSeconds since the start of the run; not a number when it never began
 * @param seconds from there to its last move
 * @param secondsAtLimits that its moves take at its limits, when nothing else holds them up
 * @param files that were looked at
 * @param blocks of theirs
 * @param blocksAsWanted that had nothing to move
 * @param replicas moved
 * @param bytes of these
 * @param networkBytes of these, between nodes
 * @param comeBytesByTier that came to each tier
 * @param goBytesByTier that went from each tier
 * @param left what should have moved and did not, the most first
 */
public record MovementResult(
    String path,
    String placement,
    boolean complete,
    double startSeconds,
    double seconds,
    double secondsAtLimits,
    long files,
    long blocks,
    long blocksAsWanted,
    long replicas,
    long bytes,
    long networkBytes,
    long[] comeBytesByTier,
    long[] goBytesByTier,
    List<Left> left) {
  public MovementResult {
    left = List.copyOf(left);
  }

  /** Replicas that stay, and why. */
  public record Left(String reason, long replicas, long bytes) {
    /** Both together, of one reason. */
    public Left plus(Left more) {
      return new Left(reason, replicas + more.replicas, bytes + more.bytes);
    }
  }

  /** Replicas that should have moved and did not. */
  public long leftReplicas() {
    return left.stream().mapToLong(Left::replicas).sum();
  }
}
