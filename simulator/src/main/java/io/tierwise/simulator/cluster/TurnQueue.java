package io.tierwise.simulator.cluster;

import io.tierwise.simulator.cluster.WriteBuffers.RoomListener;
import java.util.Arrays;

/**
 * Writers that wait for room on a node, in the order of their turns. Most join behind all others;
 * one that waited for another node before passes those that came after it, a few as a rule. Arrays
 * of what they are, so that nobody is looked up to be passed.
 */
final class TurnQueue {
  private static final int LENGTH_MIN = 4;

  /** Three numbers a writer, side by side: its turn, the room that it waits for, and its ticket. */
  private static final int WORDS = 3;

  private static final int BYTES = 1;
  private static final int TICKET = 2;

  private long[] entries = new long[LENGTH_MIN * WORDS];
  private RoomListener[] listeners = new RoomListener[LENGTH_MIN];
  private int head;
  private int end;

  boolean isEmpty() {
    return head == end;
  }

  /** The turn of the first one; there must be one, here and below. */
  long turn() {
    return entries[head * WORDS];
  }

  /** The room that the first one waits for. */
  long bytes() {
    return entries[head * WORDS + BYTES];
  }

  long ticket() {
    return entries[head * WORDS + TICKET];
  }

  RoomListener listener() {
    return listeners[head];
  }

  void removeFirst() {
    listeners[head++] = null;
    if (head == end) {
      head = 0;
      end = 0;
    }
  }

  void add(long turn, long roomBytes, RoomListener listener, long ticket) {
    makePlace();
    int place = end++;
    while (place > head && entries[(place - 1) * WORDS] > turn) {
      place--;
    }
    int passed = end - 1 - place;
    if (passed > 0) {
      System.arraycopy(entries, place * WORDS, entries, (place + 1) * WORDS, passed * WORDS);
      System.arraycopy(listeners, place, listeners, place + 1, passed);
    }
    int entry = place * WORDS;
    entries[entry] = turn;
    entries[entry + BYTES] = roomBytes;
    entries[entry + TICKET] = ticket;
    listeners[place] = listener;
  }

  /** At the end: by moving all to the front where half of the places there are free. */
  private void makePlace() {
    if (end < listeners.length) {
      return;
    }
    int count = end - head;
    if (count > listeners.length / 2) {
      entries = Arrays.copyOf(entries, 2 * entries.length);
      listeners = Arrays.copyOf(listeners, 2 * listeners.length);
      return;
    }
    System.arraycopy(entries, head * WORDS, entries, 0, count * WORDS);
    System.arraycopy(listeners, head, listeners, 0, count);
    Arrays.fill(listeners, count, end, null);
    head = 0;
    end = count;
  }
}
