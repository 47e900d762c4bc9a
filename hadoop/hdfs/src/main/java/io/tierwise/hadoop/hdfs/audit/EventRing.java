package io.tierwise.hadoop.hdfs.audit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded queue of many writers and one reader without a lock: a writer that finds it full is
 * told so at once, and none waits for the reader or for a writer that was stopped half-way.
 *
 * <p>Source: D. Vyukov's bounded queue: each slot has a number that says whose turn it is. Slot i
 * of n may be written in turn t when its number is t, and read when it is t + 1; the reader sets it
 * to t + n.
 */
final class EventRing<E> {
  private final int mask;
  private final AtomicReferenceArray<E> slots;
  private final AtomicLongArray turns;
  private final AtomicLong writes = new AtomicLong();
  private volatile long reads;

  /**
   * @param capacity is raised to a power of two
   */
  EventRing(int capacity) {
    int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
    mask = size - 1;
    slots = new AtomicReferenceArray<>(size);
    turns = new AtomicLongArray(size);
    for (int i = 0; i < size; i++) {
      turns.set(i, i);
    }
  }

  int capacity() {
    return mask + 1;
  }

  /** The approximate number of events that wait. */
  int size() {
    return (int) Math.max(0, writes.get() - reads);
  }

  /** Adds an event, or says false when there is no room. By any thread. */
  boolean offer(E event) {
    while (true) {
      long turn = writes.get();
      int slot = (int) turn & mask;
      long number = turns.get(slot);
      if (number < turn) {
        return false;
      }
      if (number == turn && writes.compareAndSet(turn, turn + 1)) {
        slots.lazySet(slot, event);
        turns.set(slot, turn + 1);
        return true;
      }
    }
  }

  /** Takes the oldest event; null when there is none. By the reader alone. */
  E poll() {
    long turn = reads;
    int slot = (int) turn & mask;
    if (turns.get(slot) != turn + 1) {
      return null;
    }
    E event = slots.get(slot);
    slots.lazySet(slot, null);
    turns.set(slot, turn + mask + 1);
    reads = turn + 1;
    return event;
  }
}
