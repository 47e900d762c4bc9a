package io.tierwise.policies.movement;

import io.tierwise.core.view.FileUse;
import java.util.Objects;

/**
 * A file with replicas in the tier that is to be flushed.
 *
 * @param bytes of its replicas in the tier that would leave
 */
public record FlushCandidate(String path, FileUse use, long bytes) {
  public FlushCandidate {
    Objects.requireNonNull(use, "use");
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " must not be negative");
    }
  }
}
