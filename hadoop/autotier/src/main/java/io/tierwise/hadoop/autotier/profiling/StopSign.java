package io.tierwise.hadoop.autotier.profiling;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Set by somebody who wants the work to end, and looked at by all that wait in it. */
final class StopSign {
  private static final long LOOK_MILLIS = 200;

  private volatile boolean set;

  /** The work was ended before its end. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Is asked again and again. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  void set() {
    set = true;
  }

  boolean isSet() {
    return set;
  }

  void check() {
    if (set) {
      throw new Stopped();
    }
  }

  /**
   * Waits.
   *
   * @return whether it held in time
   * @throws Stopped when the sign is set meanwhile
   */
  boolean await(Condition condition, double seconds) throws IOException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (!condition.holds()) {
      check();
      if (System.nanoTime() - end > 0) {
        return false;
      }
      rest();
    }
    return true;
  }

  void rest() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Stopped();
    }
  }
}
