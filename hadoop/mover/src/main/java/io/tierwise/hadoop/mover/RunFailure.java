package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;

/** The first failure that ends a run before its end. Safe for many threads. */
final class RunFailure {
  private final Runnable stop;
  private OperatorException first;

  /**
   * @param stop ends the run
   */
  RunFailure(Runnable stop) {
    this.stop = stop;
  }

  /** The run cannot go on, as when nothing can be written down. */
  void note(OperatorException why) {
    synchronized (this) {
      if (first != null) {
        return;
      }
      first = why;
    }
    stop.run();
  }

  /** A thread that the others wait for ended by an error that nobody foresaw. */
  void broken(Throwable why) {
    String message =
        why.getMessage() == null ? "" : ": " + why.getMessage().lines().findFirst().orElse("");
    note(
        OperatorException.cluster(
            "the mover failed ("
                + why.getClass().getSimpleName()
                + message
                + "): what was moved until then is in the journal",
            why));
  }

  synchronized void rethrow() {
    if (first != null) {
      throw first;
    }
  }
}
