package io.tierwise.hadoop.autotier;

import java.io.IOException;

/** What a thread ended with, for the thread that asks for its result. */
final class ThreadFailure {
  private ThreadFailure() {}

  /**
   * Throws it as it is.
   *
   * @param failure null when the thread did not fail
   */
  static void raise(Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}
