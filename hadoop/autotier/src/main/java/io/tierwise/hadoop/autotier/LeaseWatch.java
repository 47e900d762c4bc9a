package io.tierwise.hadoop.autotier;

import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Knows whether the lease was held a moment ago. A process may stand still at any point (a machine
 * that is suspended, a signal) and go on when another daemon has long taken over.
 *
 * <p>No other daemon has a lease that was renewed in the last minute, and HDFS's client renews it
 * each half of that: one that was held seconds ago is held. A call that was under way when the
 * process stood still is sent all the same: HDFS has no fence for it.
 */
final class LeaseWatch {
  /** Own: far below the 30 s that HDFS's client leaves, and above the second between two looks. */
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
   * Asks HDFS.
   *
   * @throws Autotier.Replaced when another daemon has it
   */
  void look() throws IOException {
    // Before the call: the answer may come late.
    long nanos = System.nanoTime();
    long millis = clock.millis();
    if (!lease.holds()) {
      throw new Autotier.Replaced(
          "another daemon has taken the lease, as after a minute without a sign of life: this one"
              + " ends");
    }
    seenNanos = nanos;
    seenMillis = millis;
  }

  /**
   * Asks HDFS when that was not done within seconds.
   *
   * @throws Autotier.Replaced when another daemon has it
   */
  void require() throws IOException {
    // By both clocks: the one stands still on a machine that sleeps, the other may be set.
    long nanos = System.nanoTime() - seenNanos;
    long millis = Math.abs(clock.millis() - seenMillis);
    if (TimeUnit.NANOSECONDS.toMillis(nanos) > FRESH_MILLIS_MAX || millis > FRESH_MILLIS_MAX) {
      look();
    }
  }
}
