package io.tierwise.core.use;

/** Takes accesses, one after the other and from one thread at a time, in the order of their log. */
public interface AccessSink {
  /**
   * An access.
   *
   * @param timeMillis when, on the clock of the source: milliseconds since 1970
   * @param path absolute; valid during the call only
   * @param destination the new path of a {@link AccessKind#RENAME}, else empty; valid during the
   *     call only
   * @param reader a hash of who did it and from where, so that two calls of one reader are known as
   *     such; 0 when unknown
   */
  void accessed(
      long timeMillis, AccessKind kind, PathBytes path, PathBytes destination, long reader);
}
