package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Ticks;
import java.util.Arrays;

/**
 * The lanes in the order of (tick at which their next flow ends, lane): an indexed four-ary heap.
 * When rates change a little, most lanes stay where they are, and moving one costs a comparison.
 * Ticks stand in the order of the heap, so that the four children of a place are side by side.
 */
final class CompletionHeap {
  private static final int ABSENT = -1;

  private long[] ticks = new long[64];
  private int[] lanes = new int[64];

  /** Of each lane. */
  private int[] places = filled(new int[64], 0);

  private int size;

  /** The earliest end; {@link Ticks#NEVER} when no lane will ever end. */
  long minTick() {
    return size == 0 ? Ticks.NEVER : ticks[0];
  }

  int minLane() {
    return lanes[0];
  }

  /** When the lane's next flow ends; {@link Ticks#NEVER} when it is not here. */
  long tick(int lane) {
    return lane < places.length && places[lane] != ABSENT ? ticks[places[lane]] : Ticks.NEVER;
  }

  /** Puts a lane at a tick, wherever it was; {@link Ticks#NEVER} takes it out. */
  void set(int lane, long tick) {
    if (lane >= places.length) {
      int length = Math.max(lane + 1, Growth.after(places.length));
      int before = places.length;
      ticks = Arrays.copyOf(ticks, length);
      lanes = Arrays.copyOf(lanes, length);
      places = filled(Arrays.copyOf(places, length), before);
    }
    if (tick == Ticks.NEVER) {
      remove(lane);
      return;
    }
    int place = places[lane];
    if (place == ABSENT) {
      up(lane, tick, size++);
    } else if (tick < ticks[place]) {
      up(lane, tick, place);
    } else if (tick > ticks[place]) {
      down(lane, tick, place);
    }
  }

  void remove(int lane) {
    if (lane >= places.length || places[lane] == ABSENT) {
      return;
    }
    int hole = places[lane];
    places[lane] = ABSENT;
    int last = lanes[--size];
    if (last != lane) {
      long tick = ticks[size];
      up(last, tick, hole);
      if (places[last] == hole) {
        down(last, tick, hole);
      }
    }
  }

  /** True when every lane stands behind its parent; for checks. */
  boolean isOrdered() {
    for (int i = 0; i < size; i++) {
      int parent = (i - 1) >> 2;
      if (places[lanes[i]] != i || (i > 0 && isBefore(i, parent))) {
        return false;
      }
    }
    return true;
  }

  private void up(int lane, long tick, int place) {
    int hole = place;
    while (hole > 0) {
      int parent = (hole - 1) >> 2;
      if (!isBefore(tick, lane, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(lane, tick, hole);
  }

  private void down(int lane, long tick, int place) {
    int hole = place;
    for (int first = 4 * hole + 1; first < size; first = 4 * hole + 1) {
      int least = first;
      int end = Math.min(first + 4, size);
      for (int i = first + 1; i < end; i++) {
        if (isBefore(i, least)) {
          least = i;
        }
      }
      if (isBefore(tick, lane, least)) {
        break;
      }
      move(least, hole);
      hole = least;
    }
    put(lane, tick, hole);
  }

  private void move(int from, int to) {
    put(lanes[from], ticks[from], to);
  }

  private void put(int lane, long tick, int place) {
    ticks[place] = tick;
    lanes[place] = lane;
    places[lane] = place;
  }

  private boolean isBefore(int place, int other) {
    return ticks[place] < ticks[other]
        || (ticks[place] == ticks[other] && lanes[place] < lanes[other]);
  }

  private boolean isBefore(long tick, int lane, int place) {
    return tick < ticks[place] || (tick == ticks[place] && lane < lanes[place]);
  }

  private static int[] filled(int[] array, int from) {
    Arrays.fill(array, from, array.length, ABSENT);
    return array;
  }
}
