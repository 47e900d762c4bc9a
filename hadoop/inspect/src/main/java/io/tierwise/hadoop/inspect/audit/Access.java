package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.AccessSink;
import io.tierwise.core.use.PathBytes;
import java.util.Arrays;

/** An access that stays as it is: a reader's own paths are those of its next line soon. */
record Access(
    long timeMillis, AccessKind kind, PathBytes path, PathBytes destination, long reader) {
  /** A copy of what a sink was given. */
  static Access copy(
      long timeMillis, AccessKind kind, PathBytes path, PathBytes destination, long reader) {
    return new Access(timeMillis, kind, copy(path), copy(destination), reader);
  }

  private static PathBytes copy(PathBytes path) {
    PathBytes copy = new PathBytes();
    copy.set(Arrays.copyOfRange(path.array(), path.from(), path.to()), 0, path.length());
    return copy;
  }

  void to(AccessSink sink) {
    sink.accessed(timeMillis, kind, path, destination, reader);
  }
}
