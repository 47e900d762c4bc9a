package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Ticks;
import java.util.Arrays;

/**
 * The lanes in the order of (tick at which their next flow ends, lane): an indexed four-ary heap.
 * When rates change a little, most lanes stay where they are, and moving one costs a comparison.
 */
final class CompletionHeap {
  private static final int ABSENT = -1;

  private long[] ticks = new long[64];
  private int[] places = filled(new int[64], 0);
  private int[] heap = new int[64];
  private int size;

  /** The earliest end; {@link Ticks#NEVER} when no lane will ever end. */
  long minTick() {
    return size == 0 ? Ticks.NEVER : ticks[heap[0]];
  }

  int minLane() {
    return heap[0];
  }

  /** When the lane's next flow ends; {@link Ticks#NEVER} when it is not here. */
  long tick(int lane) {
    return lane < places.length && places[lane] != ABSENT ? ticks[lane] : Ticks.NEVER;
  }

  /** Puts a lane at a tick, wherever it was; {@link Ticks#NEVER} takes it out. */
  void set(int lane, long tick) {
    if (lane >= places.length) {
      int length = Math.max(lane + 1, Growth.after(places.length));
      int before = places.length;
      ticks = Arrays.copyOf(ticks, length);
      heap = Arrays.copyOf(heap, length);
      places = filled(Arrays.copyOf(places, length), before);
    }
    if (tick == Ticks.NEVER) {
      remove(lane);
      return;
    }
    int place = places[lane];
    if (place == ABSENT) {
      ticks[lane] = tick;
      up(lane, size++);
    } else {
      long before = ticks[lane];
      ticks[lane] = tick;
      if (tick < before) {
        up(lane, place);
      } else if (tick > before) {
        down(lane, place);
      }
    }
  }

  void remove(int lane) {
    if (lane >= places.length || places[lane] == ABSENT) {
      return;
    }
    int hole = places[lane];
    places[lane] = ABSENT;
    int last = heap[--size];
    if (last != lane) {
      up(last, hole);
      if (places[last] == hole) {
        down(last, hole);
      }
    }
  }

  /** True when every lane stands behind its parent; for checks. */
  boolean isOrdered() {
    for (int i = 0; i < size; i++) {
      if (places[heap[i]] != i || (i > 0 && before(heap[i], heap[(i - 1) >> 2]))) {
        return false;
      }
    }
    return true;
  }

  private void up(int lane, int place) {
    int hole = place;
    while (hole > 0) {
      int parent = heap[(hole - 1) >> 2];
      if (!before(lane, parent)) {
        break;
      }
      heap[hole] = parent;
      places[parent] = hole;
      hole = (hole - 1) >> 2;
    }
    heap[hole] = lane;
    places[lane] = hole;
  }

  private void down(int lane, int place) {
    int hole = place;
    for (int first = 4 * hole + 1; first < size; first = 4 * hole + 1) {
      int least = first;
      int end = Math.min(first + 4, size);
      for (int i = first + 1; i < end; i++) {
        if (before(heap[i], heap[least])) {
          least = i;
        }
      }
      if (!before(heap[least], lane)) {
        break;
      }
      heap[hole] = heap[least];
      places[heap[hole]] = hole;
      hole = least;
    }
    heap[hole] = lane;
    places[lane] = hole;
  }

  private boolean before(int a, int b) {
    return ticks[a] < ticks[b] || (ticks[a] == ticks[b] && a < b);
  }

  private static int[] filled(int[] array, int from) {
    Arrays.fill(array, from, array.length, ABSENT);
    return array;
  }
}
