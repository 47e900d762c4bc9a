package io.tierwise.hadoop.mover;

import java.util.concurrent.TimeUnit;

/**
 * When another name service is asked again, and whether it answered last. Kept from one mover of a
 * process to the next: else a daemon that opens one for each round would ask a name service that is
 * down, and tell of it, each time anew. For many threads.
 */
final class AskTimes {
  /** As often as by default DataNodes tell their NameNode how busy they are. */
  static final long REST_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * Own: the first pause after a failure is a rest, each further one twice as long, up to this. A
   * mover that begins there meanwhile is heeded so much later.
   */
  static final long FAILED_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  /** Own: DataNodes join a second name service when an operator sets that up. */
  static final long APART_NANOS = TimeUnit.MINUTES.toNanos(10);

  private long nextNanos;
  private long pauseNanos;
  private boolean apart;
  private String failure;

  AskTimes(long nowNanos) {
    nextNanos = nowNanos;
  }

  synchronized boolean isDue(long nowNanos) {
    return nextNanos - nowNanos <= 0;
  }

  /**
   * @param shares a DataNode with the mover's own name service
   * @return whether it had failed before, as far as anybody was told
   */
  synchronized boolean answered(long nowNanos, boolean shares) {
    boolean again = failure() != null;
    failure = null;
    apart = !shares;
    nextNanos = nowNanos + (shares ? REST_NANOS : APART_NANOS);
    return again;
  }

  /**
   * @return whether this is the first failure after an answer, and one that matters
   */
  synchronized boolean failed(long nowNanos, String why) {
    boolean begins = failure == null;
    pauseNanos = begins ? REST_NANOS : Math.min(2 * pauseNanos, FAILED_NANOS_MAX);
    failure = why;
    nextNanos = nowNanos + pauseNanos;
    return begins && !apart;
  }

  /** Why it did not answer last; null where it did, or is known to share no DataNode. */
  synchronized String failure() {
    return apart ? null : failure;
  }
}
