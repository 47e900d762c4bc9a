package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.AccessSink;
import io.tierwise.core.use.PathBytes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Accesses of several logs in the order of their times. Within a log they keep their order.
 *
 * <p>A log is read when its next line is due. Where only one log has lines of a time, its lines go
 * on as they are read, and nothing is copied.
 */
final class AccessMerge {
  private final AccessSink sink;
  private final List<Lane> lanes = new ArrayList<>();

  /** No access of another log waits that is earlier. */
  private long boundMillis = Long.MAX_VALUE;

  /** A log that is read piece by piece. */
  @FunctionalInterface
  interface Log {
    /** Reads no more than a buffer; false when there is nothing for now. */
    boolean readSome() throws IOException;
  }

  /** Makes a log that hands its accesses to a sink. */
  @FunctionalInterface
  interface Opener<L extends Log> {
    L open(AccessSink into) throws IOException;
  }

  /** A log, and what was read of it and waits. */
  private final class Lane implements AccessSink {
    private final long firstMillis;
    private final Deque<Access> waiting = new ArrayDeque<>();
    private Log log;

    Lane(long firstMillis) {
      this.firstMillis = firstMillis;
    }

    @Override
    public void accessed(
        long time, AccessKind kind, PathBytes path, PathBytes destination, long reader) {
      if (waiting.isEmpty() && time <= boundMillis) {
        sink.accessed(time, kind, path, destination, reader);
      } else {
        waiting.add(Access.copy(time, kind, path, destination, reader));
      }
    }

    /** Reads on until two wait; false when none does, and there is nothing for now. */
    boolean fill() throws IOException {
      boolean more = true;
      while (more && waiting.size() < 2) {
        more = log.readSome();
      }
      return !waiting.isEmpty();
    }

    /**
     * When the next access is due. A single line whose time is spoilt does not hold up those behind
     * it: none is later than its successor.
     */
    long nextMillis() {
      long next = firstMillis;
      int seen = 0;
      for (Access each : waiting) {
        next = seen == 0 ? each.timeMillis() : Math.min(next, each.timeMillis());
        if (++seen == 2) {
          break;
        }
      }
      return next;
    }
  }

  AccessMerge(AccessSink sink) {
    this.sink = sink;
  }

  /**
   * Adds a log, of which nothing is read yet.
   *
   * @param firstMillis when its first line is due, at the earliest
   */
  <L extends Log> L add(long firstMillis, Opener<L> opener) throws IOException {
    Lane lane = new Lane(firstMillis);
    L log = opener.open(lane);
    lane.log = log;
    lanes.add(lane);
    return log;
  }

  /** Hands on all that the logs have now. */
  void drain() throws IOException {
    PriorityQueue<Lane> byTime = new PriorityQueue<>(Comparator.comparingLong(Lane::nextMillis));
    byTime.addAll(lanes);
    while (!byTime.isEmpty()) {
      Lane first = byTime.remove();
      boundMillis = byTime.isEmpty() ? Long.MAX_VALUE : byTime.element().nextMillis();
      boolean more = first.fill();
      while (more && first.nextMillis() <= boundMillis) {
        first.waiting.remove().to(sink);
        more = first.fill();
      }
      if (more) {
        byTime.add(first);
      }
    }
  }
}
