package io.tierwise.simulator.jobs;

import java.util.Arrays;

/** Ints, last in, first out. */
final class IntStack {
  private int[] items = new int[4];
  private int size;

  void push(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size++] = item;
  }

  int pop() {
    return items[--size];
  }

  /** The one that {@link #pop} takes. */
  int peek() {
    return items[size - 1];
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }
}
