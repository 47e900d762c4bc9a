package io.tierwise.policies.movement;

import io.tierwise.core.view.FileUse;
import java.util.Objects;

/**
 * A file with replicas in the tier that is to be flushed.
 *
 * @param bytes of its replicas in the tier that would leave
 */
public record FlushCandidate(String path, FileUse use, Way way, long bytes) {
  /** How its replicas leave; the cheapest way first. */
  public enum Way {
    /** Surplus ones are dropped: nothing is copied. */
    DROP,
    /** They move to the slower tier. */
    MOVE
  }

  public FlushCandidate {
    Objects.requireNonNull(way, "way");
    Objects.requireNonNull(use, "use");
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " must not be negative");
    }
  }
}
