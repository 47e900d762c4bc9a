package io.tierwise.hadoop.mover;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Remembers of another name service when it is asked again, whether it answered last, and where its
 * mover was then. Kept from one mover of a process to the next: else a daemon that opens one for
 * each round would ask a name service that is down, and tell of it, each time anew. For many
 * threads.
 */
final class KnownNameService {
  /** As often as by default DataNodes tell their NameNode how busy they are. */
  static final long REST_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * Own: the first pause after a failure is a rest, each further one twice as long, up to this. A
   * mover that begins there meanwhile is heeded so much later.
   */
  static final long FAILED_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  /** Own: DataNodes join a second name service when an operator sets that up. */
  static final long APART_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Own: a NameNode that works answers within a second, and a question is a few calls. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Own: of one that did not answer last, which may be up again. */
  static final long PATIENCE_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Heard(Set<String> nodes, long nanos) {}

  private long nextNanos;
  private long pauseNanos;
  private boolean apart;
  private String failure;
  private Heard heard;

  KnownNameService(long nowNanos) {
    nextNanos = nowNanos;
    heard = new Heard(Set.of(), nowNanos);
  }

  synchronized boolean isDue(long nowNanos) {
    return nextNanos - nowNanos <= 0;
  }

  /** How long a mover that begins waits for its answer; longer silence is a failure. */
  synchronized long patienceNanos() {
    return failure == null ? PATIENCE_NANOS : PATIENCE_AFTER_FAILURE_NANOS;
  }

  /**
   * @return whether it had failed before, as far as anybody was told
   */
  synchronized boolean answered(long nowNanos, OtherNameService.Answer answer) {
    boolean again = failure() != null;
    failure = null;
    apart = !answer.shares();
    heard = new Heard(answer.nodes(), nowNanos);
    nextNanos = nowNanos + (apart ? APART_NANOS : REST_NANOS);
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

  /** Whether it is known to share no DataNode. */
  synchronized boolean isApart() {
    return apart;
  }

  /** Whether a mover may move there, as far as was heard of late: silence ends no mover at once. */
  synchronized boolean movesOn(String nodeId, long nowNanos) {
    return heard.nodes().contains(nodeId)
        && nowNanos - heard.nanos() <= ForegroundWatch.BELIEVED_NANOS_MAX;
  }
}
