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

  private long[] turns = new long[LENGTH_MIN];
  private long[] bytes = new long[LENGTH_MIN];
  private long[] tickets = new long[LENGTH_MIN];
  private RoomListener[] listeners = new RoomListener[LENGTH_MIN];
  private int head;
  private int end;

  boolean isEmpty() {
    return head == end;
  }

  /** The turn of the first one; there must be one, here and below. */
  long turn() {
    return turns[head];
  }

  /** The room that the first one waits for. */
  long bytes() {
    return bytes[head];
  }

  long ticket() {
    return tickets[head];
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
    for (; place > head && turns[place - 1] > turn; place--) {
      turns[place] = turns[place - 1];
      bytes[place] = bytes[place - 1];
      tickets[place] = tickets[place - 1];
      listeners[place] = listeners[place - 1];
    }
    turns[place] = turn;
    bytes[place] = roomBytes;
    tickets[place] = ticket;
    listeners[place] = listener;
  }

  /** At the end: by moving all to the front where half of the places there are free. */
  private void makePlace() {
    if (end < turns.length) {
      return;
    }
    int count = end - head;
    if (count > turns.length / 2) {
      turns = Arrays.copyOf(turns, 2 * turns.length);
      bytes = Arrays.copyOf(bytes, turns.length);
      tickets = Arrays.copyOf(tickets, turns.length);
      listeners = Arrays.copyOf(listeners, turns.length);
      return;
    }
    System.arraycopy(turns, head, turns, 0, count);
    System.arraycopy(bytes, head, bytes, 0, count);
    System.arraycopy(tickets, head, tickets, 0, count);
    System.arraycopy(listeners, head, listeners, 0, count);
    Arrays.fill(listeners, count, end, null);
    head = 0;
    end = count;
  }
}
