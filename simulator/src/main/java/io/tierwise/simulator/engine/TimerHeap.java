package io.tierwise.simulator.engine;

import java.util.Arrays;

/**
 * Timers that are set again and again, in the order of (tick, sequence): an indexed binary heap, so
 * that setting a timer anew costs a sift and leaves nothing behind.
 */
final class TimerHeap {
  private static final int UNSET = -1;

  private int[] handlers = new int[16];
  private long[] arguments = new long[16];
  private long[] ticks = new long[16];
  private long[] sequences = new long[16];
  private int[] places = new int[16];
  private int[] heap = new int[16];
  private int timerCount;
  private int size;

  /** Makes a timer that is not set; returns its id. */
  int add(int handler, long argument) {
    if (timerCount == handlers.length) {
      grow();
    }
    int timer = timerCount++;
    handlers[timer] = handler;
    arguments[timer] = argument;
    places[timer] = UNSET;
    return timer;
  }

  int handler(int timer) {
    return handlers[timer];
  }

  long argument(int timer) {
    return arguments[timer];
  }

  /** The earliest timer's tick; {@link Ticks#NEVER} when none is set. */
  long minTick() {
    return size == 0 ? Ticks.NEVER : ticks[heap[0]];
  }

  long minSequence() {
    return sequences[heap[0]];
  }

  int minTimer() {
    return heap[0];
  }

  void set(int timer, long tick, long sequence) {
    check(timer);
    ticks[timer] = tick;
    sequences[timer] = sequence;
    if (places[timer] == UNSET) {
      places[timer] = size++;
    }
    sift(timer, places[timer]);
  }

  /** Does nothing when the timer is not set. */
  void clear(int timer) {
    check(timer);
    int hole = places[timer];
    if (hole == UNSET) {
      return;
    }
    places[timer] = UNSET;
    int last = heap[--size];
    if (last != timer) {
      sift(last, hole);
    }
  }

  private void check(int timer) {
    if (timer < 0 || timer >= timerCount) {
      throw new IllegalArgumentException("no timer " + timer + ", there are " + timerCount);
    }
  }

  /** Puts {@code timer} where it belongs, starting from the free slot {@code hole}. */
  private void sift(int timer, int hole) {
    int slot = hole;
    while (slot > 0 && before(timer, heap[(slot - 1) >>> 1])) {
      put(heap[(slot - 1) >>> 1], slot);
      slot = (slot - 1) >>> 1;
    }
    if (slot == hole) {
      for (int child = 2 * slot + 1; child < size; child = 2 * slot + 1) {
        if (child + 1 < size && before(heap[child + 1], heap[child])) {
          child++;
        }
        if (!before(heap[child], timer)) {
          break;
        }
        put(heap[child], slot);
        slot = child;
      }
    }
    put(timer, slot);
  }

  private boolean before(int a, int b) {
    return ticks[a] < ticks[b] || (ticks[a] == ticks[b] && sequences[a] < sequences[b]);
  }

  private void put(int timer, int slot) {
    heap[slot] = timer;
    places[timer] = slot;
  }

  private void grow() {
    int capacity = 2 * timerCount;
    handlers = Arrays.copyOf(handlers, capacity);
    arguments = Arrays.copyOf(arguments, capacity);
    ticks = Arrays.copyOf(ticks, capacity);
    sequences = Arrays.copyOf(sequences, capacity);
    places = Arrays.copyOf(places, capacity);
    heap = Arrays.copyOf(heap, capacity);
  }
}
