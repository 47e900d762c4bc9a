package io.tierwise.hadoop.autotier;

import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Knows whether the lease was held a moment ago. A process may stand still at any point (a machine
 * that is suspended, a signal) and go on when another daemon has long taken over.
 *
 * <p>Each look renews the lease, and HDFS gives it to nobody else for a minute after that: one that
 * was held seconds ago is held. A call that was under way when the process stood still is sent all
 * the same: HDFS has no fence for it.
 */
final class LeaseWatch {
  /**
   * Own: far below HDFS's minute, and seldom enough: the NameNode writes a line of its edit log for
   * each look.
   */
  private static final long FRESH_MILLIS_MAX = 5_000;

  private final Lease lease;
  private final InstantSource clock = InstantSource.system();
  private volatile long seenNanos;
  private volatile long seenMillis;

  /** Nothing is known yet. */
  LeaseWatch(Lease lease) {
    this.lease = lease;
    seenMillis = Long.MIN_VALUE / 2;
  }

  /**
   * Asks HDFS when that was not done within seconds; from any thread.
   *
   * @throws Autotier.Replaced when another daemon has it
   */
  void require() throws IOException {
    // Before the call: the answer may come late.
    long nanos = System.nanoTime();
    long millis = clock.millis();
    if (isFresh(nanos, millis)) {
      return;
    }
    if (!lease.holds()) {
      throw new Autotier.Replaced(
          "another daemon has taken the lease, as after a minute without a sign of life, or HDFS's"
              + " client has given it up, as after 20 minutes without a NameNode: this one ends");
    }
    seenNanos = nanos;
    seenMillis = millis;
  }

  /** By both clocks: the one stands still on a machine that sleeps, the other may be set. */
  private boolean isFresh(long nanos, long millis) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - seenNanos) <= FRESH_MILLIS_MAX
        && Math.abs(millis - seenMillis) <= FRESH_MILLIS_MAX;
  }
}
