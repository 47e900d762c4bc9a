package io.tierwise.policies.movement;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps each of some places, nodes or volumes, to a rate: a move of so many bytes puts off the next
 * start at its places by as long as the rate takes for them. A place may be held to a share of the
 * rate for a while. Not for many threads.
 *
 * <p>A start that comes a little late counts from when it was due: else the lateness of each thread
 * that wakes up would be lost to the rate. A place that was idle for longer makes up for nothing.
 */
final class RateLimit<P> {
  private static final double NANOS = 1e9;
  private static final double NANOS_MAX = Long.MAX_VALUE / 4.0;

  /** Own: a collection or a busy processor holds a start up for less; a few small moves follow. */
  static final long LATE_NANOS_MAX = 100_000_000L;

  private final double bytesPerSecond;
  private final Map<P, Debt> debts = new LinkedHashMap<>();

  /** The time at the full rate that a place's moves have yet to make up for, as of a moment. */
  private record Debt(long atNanos, long owedNanos, double share) {
    static Debt none(long nowNanos) {
      return new Debt(nowNanos, 0, 1);
    }

    long overNanos() {
      return atNanos + (long) Math.min(NANOS_MAX, owedNanos / share);
    }

    /** What is owed at a moment; since when nothing is, where it is paid. */
    Debt at(long nowNanos) {
      if (overNanos() <= nowNanos) {
        return new Debt(overNanos(), 0, share);
      }
      double paid = Math.max(0, nowNanos - atNanos) * share;
      return new Debt(Math.max(atNanos, nowNanos), (long) Math.max(0, owedNanos - paid), share);
    }

    /** The moment from which a start of now counts. */
    Debt due(long nowNanos) {
      Debt now = at(nowNanos);
      return nowNanos - now.atNanos() > LATE_NANOS_MAX ? new Debt(nowNanos, 0, share) : now;
    }

    Debt plus(long nanos) {
      return new Debt(atNanos, (long) Math.min(NANOS_MAX, (double) owedNanos + nanos), share);
    }

    Debt withShare(double newShare) {
      return new Debt(atNanos, owedNanos, newShare);
    }
  }

  RateLimit(long bytesPerSecond) {
    this.bytesPerSecond = (double) bytesPerSecond;
  }

  /** The earliest moment, on the caller's clock, at which a move between two places may start. */
  long startNanos(P place, P other) {
    return Math.max(startNanos(place), startNanos(other));
  }

  private long startNanos(P place) {
    Debt debt = debts.get(place);
    return debt == null ? Long.MIN_VALUE : debt.overNanos();
  }

  /** Notes a move that starts now. */
  void start(long nowNanos, long bytes, P place, P other) {
    owe(nowNanos, bytes, place);
    if (!place.equals(other)) {
      owe(nowNanos, bytes, other);
    }
  }

  private void owe(long nowNanos, long bytes, P place) {
    long nanos = (long) Math.min(NANOS_MAX, bytes / bytesPerSecond * NANOS);
    Debt debt = debts.get(place);
    debts.put(place, (debt == null ? Debt.none(nowNanos) : debt.due(nowNanos)).plus(nanos));
  }

  /** Holds a place to a share of the rate, above 0 and up to 1, from now on. */
  void setShare(long nowNanos, P place, double share) {
    debts.put(place, debtAt(nowNanos, place).withShare(share));
  }

  private Debt debtAt(long nowNanos, P place) {
    Debt debt = debts.get(place);
    return debt == null ? Debt.none(nowNanos) : debt.at(nowNanos);
  }
}
