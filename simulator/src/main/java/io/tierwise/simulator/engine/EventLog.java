package io.tierwise.simulator.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The running hash of all handled events, and the last of them for whoever looks for the first
 * difference between two runs. Two runs with one hash handled the same events in the same order.
 */
final class EventLog {
  private final long[] ticks;
  private final int[] handlers;
  private final long[] arguments;
  private long hash;
  private long count;

  /** Keeps the last {@code limit} events; the hash covers all. */
  EventLog(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("log limit " + limit + " is negative");
    }
    ticks = new long[limit];
    handlers = new int[limit];
    arguments = new long[limit];
  }

  void add(long tick, int handler, long argument) {
    long h = (hash ^ tick) * 0x9e3779b97f4a7c15L;
    h = (h ^ (h >>> 32) ^ argument) * 0xbf58476d1ce4e5b9L;
    hash = h + handler;
    if (ticks.length > 0) {
      int slot = (int) (count % ticks.length);
      ticks[slot] = tick;
      handlers[slot] = handler;
      arguments[slot] = argument;
    }
    count++;
  }

  long hash() {
    return hash;
  }

  long count() {
    return count;
  }

  List<LoggedEvent> last() {
    List<LoggedEvent> last = new ArrayList<>();
    for (long i = Math.max(0, count - ticks.length); i < count; i++) {
      int slot = (int) (i % ticks.length);
      last.add(new LoggedEvent(ticks[slot], handlers[slot], arguments[slot]));
    }
    return last;
  }
}
