package io.tierwise.policies.movement;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps each of some places, nodes or volumes, to a rate: a move of so many bytes puts off the next
 * start at its places by as long as the rate takes for them. Not for many threads.
 */
final class RateLimit<P> {
  private static final double NANOS = 1e9;

  private final double bytesPerSecond;
  private final Map<P, Long> nextOfPlace = new LinkedHashMap<>();

  RateLimit(long bytesPerSecond) {
    this.bytesPerSecond = (double) bytesPerSecond;
  }

  /** The earliest moment, on the caller's clock, at which a move between two places may start. */
  long startNanos(P place, P other) {
    return Math.max(
        nextOfPlace.getOrDefault(place, Long.MIN_VALUE),
        nextOfPlace.getOrDefault(other, Long.MIN_VALUE));
  }

  /** Notes a move that starts now. */
  void start(long nowNanos, long bytes, P place, P other) {
    put(nowNanos, bytes, place);
    if (!place.equals(other)) {
      put(nowNanos, bytes, other);
    }
  }

  private void put(long nowNanos, long bytes, P place) {
    long next = Math.max(nextOfPlace.getOrDefault(place, nowNanos), nowNanos);
    nextOfPlace.put(place, next + nanos(bytes));
  }

  private long nanos(long bytes) {
    return (long) Math.min(Long.MAX_VALUE / 4.0, bytes / bytesPerSecond * NANOS);
  }
}
