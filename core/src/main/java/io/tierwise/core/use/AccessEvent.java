package io.tierwise.core.use;

/**
 * One access to a file or directory.
 *
 * @param timeMillis when, on the clock of the source: milliseconds since 1970
 * @param path absolute
 * @param destination the new path of a {@link AccessKind#RENAME}; else empty
 * @param bytes how many were read; {@link #UNKNOWN_BYTES} where the source does not say, as an
 *     audit log never does
 * @param user who did it; empty when unknown
 */
public record AccessEvent(
    long timeMillis, AccessKind kind, String path, String destination, long bytes, String user) {
  /** The source does not say how much was read. */
  public static final long UNKNOWN_BYTES = -1;

  public AccessEvent {
    if (kind == AccessKind.RENAME && destination.isEmpty()) {
      throw new IllegalArgumentException("a rename of " + path + " without a new path");
    }
  }

  /** An access of which neither the amount nor the user is known, and which renames nothing. */
  public static AccessEvent of(long timeMillis, AccessKind kind, String path) {
    return new AccessEvent(timeMillis, kind, path, "", UNKNOWN_BYTES, "");
  }
}
