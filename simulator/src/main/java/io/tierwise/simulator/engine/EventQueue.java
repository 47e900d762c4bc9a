package io.tierwise.simulator.engine;

import java.util.Arrays;

/**
 * Pending events in the order of (tick, sequence), at a constant mean cost for any spread of ticks:
 * a ladder queue. Events due soon stand sorted at the <em>bottom</em>; later ones lie unsorted in
 * the buckets of <em>rungs</em>, the finest rung first; those after all rungs lie on a pile, the
 * <em>top</em>. The bottom is filled from the next bucket; a bucket with too many events becomes a
 * finer rung instead, a bottom with too many as well.
 *
 * <p>Events of one tick lie in one place at any time and are moved together in their order, so that
 * sorting by tick, and stably, suffices.
 *
 * <p>Source: Tang, Goh, Thng: Ladder queue: an O(1) priority queue structure for large-scale
 * discrete event simulation, ACM TOMACS 15(3), 2005. Deviation: bucket widths are powers of two and
 * follow the events that are there; a rung's last bucket takes all up to the next rung; ties keep
 * their order; the bottom may grow when there are many rungs, which bounds their number.
 */
final class EventQueue {
  private static final int NONE = -1;

  /** Own: more events than this are not sorted by insertion; 32 to 64 measured alike. */
  private static final int SORTED_MAX = 48;

  /** Own: from here on each rung lets the bottom be twice as long. */
  private static final int RUNGS_FREE = 6;

  // An event is four longs in a row, half a cache line: tick, sequence, argument, handler and link.
  private static final int SIZE = 4;
  private static final int SEQUENCE = 1;
  private static final int ARGUMENT = 2;
  private static final int LINK = 3;

  private long[] events = new long[64 * SIZE];
  private int firstFree = NONE;
  private int used;
  private int size;

  /** Sorted from {@link #first} up to {@link #end}; empty only if the queue is. */
  private long[] bottomTick = new long[128];

  private int[] bottomEvent = new int[128];
  private int first = 64;
  private int end = 64;

  /** Coarsest first. */
  private Rung[] rungs = new Rung[4];

  private int rungCount;

  /** Newest first, as in all lists. */
  private int top = NONE;

  private long topFrom;
  private int[] gathered = new int[64];
  private int gatheredCount;
  private long least;
  private long greatest;

  int size() {
    return size;
  }

  /** The earliest event's tick; {@link Ticks#NEVER} when there is none. */
  long minTick() {
    return first == end ? Ticks.NEVER : bottomTick[first];
  }

  long minSequence() {
    return events[bottomEvent[first] * SIZE + SEQUENCE];
  }

  int minHandler() {
    return (int) (events[bottomEvent[first] * SIZE + LINK] >> 32);
  }

  long minArgument() {
    return events[bottomEvent[first] * SIZE + ARGUMENT];
  }

  /** Adds an event; sequences must rise from call to call. */
  void add(long tick, long sequence, int handler, long argument) {
    int event = firstFree;
    if (event == NONE) {
      event = used++;
      if (event * SIZE == events.length) {
        events = Arrays.copyOf(events, (event + (event >> 1)) * SIZE);
      }
    } else {
      firstFree = (int) events[event * SIZE + LINK];
    }
    int at = event * SIZE;
    events[at] = tick;
    events[at + SEQUENCE] = sequence;
    events[at + ARGUMENT] = argument;
    events[at + LINK] = (long) handler << 32;
    size++;
    if (tick >= topFrom) {
      link(event, top);
      top = event;
    } else if (rungCount == 0 || tick < rungs[rungCount - 1].from) {
      insert(tick, event);
    } else {
      int i = rungCount - 1;
      while (tick >= rungs[i].end) {
        i--;
      }
      put(rungs[i], tick, event);
    }
    if (first == end) {
      refill();
    }
  }

  /** Drops the earliest event. */
  void removeMin() {
    int event = bottomEvent[first++];
    link(event, firstFree);
    firstFree = event;
    size--;
    if (first == end && size > 0) {
      refill();
    }
  }

  private void link(int event, int next) {
    int at = event * SIZE + LINK;
    events[at] = (events[at] & 0xffffffff00000000L) | (next & 0xffffffffL);
  }

  private void put(Rung rung, long tick, int event) {
    int bucket = rung.bucketOf(tick);
    link(event, rung.heads[bucket]);
    rung.heads[bucket] = event;
  }

  /** Sorted insertion into the bottom, behind its equals; moves the shorter side. */
  private void insert(long tick, int event) {
    int low = first;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bottomTick[middle] <= tick) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (first == 0 || end == bottomTick.length) {
      low += recentre();
    }
    if (low - first < end - low) {
      first--;
      System.arraycopy(bottomTick, first + 1, bottomTick, first, low - first - 1);
      System.arraycopy(bottomEvent, first + 1, bottomEvent, first, low - first - 1);
      low--;
    } else {
      System.arraycopy(bottomTick, low, bottomTick, low + 1, end - low);
      System.arraycopy(bottomEvent, low, bottomEvent, low + 1, end - low);
      end++;
    }
    bottomTick[low] = tick;
    bottomEvent[low] = event;
    int excess = Math.min(16, Math.max(0, rungCount - RUNGS_FREE));
    if (end - first > (2 * SORTED_MAX) << excess && bottomTick[first] < bottomTick[end - 1]) {
      spreadBottom();
    }
  }

  /** Makes room on both sides of the bottom; returns by how much it moved. */
  private int recentre() {
    int count = end - first;
    int length = Math.max(bottomTick.length, 4 * count);
    int start = (length - count) >>> 1;
    long[] ticks = length > bottomTick.length ? new long[length] : bottomTick;
    int[] members = length > bottomTick.length ? new int[length] : bottomEvent;
    System.arraycopy(bottomTick, first, ticks, start, count);
    System.arraycopy(bottomEvent, first, members, start, count);
    bottomTick = ticks;
    bottomEvent = members;
    int moved = start - first;
    first = start;
    end = start + count;
    return moved;
  }

  /** Turns the bottom into a rung, and takes its first bucket back. */
  private void spreadBottom() {
    gatheredCount = 0;
    for (int i = end - 1; i >= first; i--) {
      gather(bottomEvent[i]);
    }
    least = bottomTick[first];
    greatest = bottomTick[end - 1];
    long regionEnd = rungCount == 0 ? topFrom : rungs[rungCount - 1].from;
    first = end;
    addRung(regionEnd, true);
    refill();
  }

  /** Fills the empty bottom from the next bucket, or from the top when all buckets are empty. */
  private void refill() {
    while (first == end) {
      if (rungCount == 0) {
        gatherList(top);
        top = NONE;
        if (isSortable()) {
          topFrom = greatest + 1;
          sortToBottom();
        } else {
          addRung(Ticks.NEVER, false);
          topFrom = rungs[0].end;
        }
        continue;
      }
      Rung rung = rungs[rungCount - 1];
      int list = rung.takeNext();
      if (list == Rung.EMPTY) {
        rungCount--;
        continue;
      }
      gatherList(list);
      if (isSortable()) {
        sortToBottom();
      } else {
        addRung(rung.from, true);
      }
    }
  }

  private boolean isSortable() {
    return gatheredCount <= SORTED_MAX || least == greatest;
  }

  private void gather(int event) {
    if (gatheredCount == gathered.length) {
      gathered = Arrays.copyOf(gathered, 2 * gatheredCount);
    }
    gathered[gatheredCount++] = event;
  }

  private void gatherList(int list) {
    gatheredCount = 0;
    least = Ticks.NEVER;
    greatest = 0;
    for (int event = list; event != NONE; event = (int) events[event * SIZE + LINK]) {
      long tick = events[event * SIZE];
      least = Math.min(least, tick);
      greatest = Math.max(greatest, tick);
      gather(event);
    }
  }

  /** Insertion sort, oldest first: linear for events of one tick, which are the only long lists. */
  private void sortToBottom() {
    if (gatheredCount + 1 >= bottomTick.length) {
      bottomTick = new long[2 * gatheredCount];
      bottomEvent = new int[2 * gatheredCount];
    }
    first = (bottomTick.length - gatheredCount) >>> 1;
    end = first;
    for (int i = gatheredCount - 1; i >= 0; i--) {
      int event = gathered[i];
      long tick = events[event * SIZE];
      int hole = end++;
      while (hole > first && bottomTick[hole - 1] > tick) {
        bottomTick[hole] = bottomTick[hole - 1];
        bottomEvent[hole] = bottomEvent[hole - 1];
        hole--;
      }
      bottomTick[hole] = tick;
      bottomEvent[hole] = event;
    }
  }

  /** Spreads the gathered events, newest first, over a new finest rung. */
  private void addRung(long regionEnd, boolean reachesRegionEnd) {
    if (rungCount == rungs.length) {
      rungs = Arrays.copyOf(rungs, 2 * rungCount);
    }
    if (rungs[rungCount] == null) {
      rungs[rungCount] = new Rung();
    }
    Rung rung = rungs[rungCount++];
    rung.span(least, greatest, gatheredCount, reachesRegionEnd ? regionEnd : Ticks.NEVER);
    if (!reachesRegionEnd) {
      rung.endAfterLast();
    }
    for (int i = gatheredCount - 1; i >= 0; i--) {
      put(rung, events[gathered[i] * SIZE], gathered[i]);
    }
  }
}
