package io.tierwise.simulator.engine;

import java.util.Arrays;

/** Pending events in the order of (tick, sequence): a binary heap on primitive arrays. */
final class EventQueue {
  private long[] ticks = new long[64];
  private long[] sequences = new long[64];
  private int[] handlers = new int[64];
  private long[] arguments = new long[64];
  private int size;

  int size() {
    return size;
  }

  /** The earliest event's tick; {@link Ticks#NEVER} when there is none. */
  long minTick() {
    return size == 0 ? Ticks.NEVER : ticks[0];
  }

  long minSequence() {
    return sequences[0];
  }

  int minHandler() {
    return handlers[0];
  }

  long minArgument() {
    return arguments[0];
  }

  void add(long tick, long sequence, int handler, long argument) {
    if (size == ticks.length) {
      grow();
    }
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!before(tick, sequence, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, tick, sequence, handler, argument);
  }

  /** Drops the earliest event. */
  void removeMin() {
    size--;
    long tick = ticks[size];
    long sequence = sequences[size];
    int hole = 0;
    for (int child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && before(ticks[child + 1], sequences[child + 1], child)) {
        child++;
      }
      if (before(tick, sequence, child)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    put(hole, tick, sequence, handlers[size], arguments[size]);
  }

  private boolean before(long tick, long sequence, int slot) {
    return tick < ticks[slot] || (tick == ticks[slot] && sequence < sequences[slot]);
  }

  private void move(int from, int to) {
    put(to, ticks[from], sequences[from], handlers[from], arguments[from]);
  }

  private void put(int slot, long tick, long sequence, int handler, long argument) {
    ticks[slot] = tick;
    sequences[slot] = sequence;
    handlers[slot] = handler;
    arguments[slot] = argument;
  }

  private void grow() {
    int capacity = 2 * size;
    ticks = Arrays.copyOf(ticks, capacity);
    sequences = Arrays.copyOf(sequences, capacity);
    handlers = Arrays.copyOf(handlers, capacity);
    arguments = Arrays.copyOf(arguments, capacity);
  }
}
