package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * The resources: what each can give, what it gives, what it gave, and which lanes use it.
 *
 * <p>The numbers of a resource stand together: a division looks at all of them, and at few of the
 * many resources.
 */
final class ResourceTable {
  private static final int LINE = 11;
  private static final int CAPACITY = 0;
  private static final int USED = 1;
  private static final int FASTEST = 2;
  private static final int LEVEL = 3;
  private static final int MOVED_UNIT_TICKS = 4;

  // A long, by its bits.
  private static final int BUSY_TICKS = 5;
  private static final int SINCE = 6;

  // Counts, each a whole number.
  private static final int FLOWS = 7;
  private static final int BOTTLENECKS = 8;
  private static final int UPDATES = 9;
  private static final int LANES = 10;

  /** Own: lists of lanes grow by an eighth, to even lengths, since arrays take whole words. */
  private static final int LIST_SHIFT = 3;

  private static final int[] EMPTY = {};

  ConcurrencyCurve[] curve = new ConcurrencyCurve[16];

  /** Lanes on the resource; the first {@link #laneCount} entries count. */
  int[][] lanes = new int[16][];

  private double[] lines = new double[16 * LINE];
  private int count;

  int count() {
    return count;
  }

  int add() {
    if (count == curve.length) {
      grow();
    }
    lanes[count] = EMPTY;
    setLevel(count, Double.POSITIVE_INFINITY);
    return count++;
  }

  void check(int resource) {
    if (resource < 0 || resource >= count) {
      throw new IllegalArgumentException("no resource " + resource + ", there are " + count);
    }
  }

  /** Units per second; of a curve, for the flows that were there at the last division. */
  double capacity(int resource) {
    return lines[resource * LINE + CAPACITY];
  }

  void setCapacity(int resource, double unitsPerSecond) {
    lines[resource * LINE + CAPACITY] = unitsPerSecond;
  }

  /** Units per second in use, over all lanes whose rate is finite. */
  double used(int resource) {
    return lines[resource * LINE + USED];
  }

  void setUsed(int resource, double unitsPerSecond) {
    lines[resource * LINE + USED] = unitsPerSecond;
  }

  void addUsed(int resource, double unitsPerSecond) {
    lines[resource * LINE + USED] += unitsPerSecond;
  }

  /** No lane on the resource is faster; infinite where nobody looked. */
  double fastest(int resource) {
    return lines[resource * LINE + FASTEST];
  }

  void setFastest(int resource, double bytesPerSecond) {
    lines[resource * LINE + FASTEST] = bytesPerSecond;
  }

  /** The rate of the lanes whose recorded bottleneck this is; infinite if there are none. */
  double level(int resource) {
    return lines[resource * LINE + LEVEL];
  }

  void setLevel(int resource, double bytesPerSecond) {
    lines[resource * LINE + LEVEL] = bytesPerSecond;
  }

  /** Flows on the resource. */
  int flowCount(int resource) {
    return (int) lines[resource * LINE + FLOWS];
  }

  void addFlowCount(int resource, int difference) {
    lines[resource * LINE + FLOWS] += difference;
  }

  /** Lanes whose recorded bottleneck this is. */
  int bottleneckCount(int resource) {
    return (int) lines[resource * LINE + BOTTLENECKS];
  }

  void addBottleneckCount(int resource, int difference) {
    lines[resource * LINE + BOTTLENECKS] += difference;
  }

  /** Times that {@link #used} was computed from itself since it was last added up, and this one. */
  int countUpdate(int resource) {
    return (int) ++lines[resource * LINE + UPDATES];
  }

  void forgetUpdates(int resource) {
    lines[resource * LINE + UPDATES] = 0;
  }

  int laneCount(int resource) {
    return (int) lines[resource * LINE + LANES];
  }

  /** Asks a resource's curve for the flows that are there now. */
  void updateCapacity(int resource) {
    if (curve[resource] == null || flowCount(resource) == 0) {
      return;
    }
    double capacity = curve[resource].unitsPerSecond(flowCount(resource));
    if (!(capacity >= 0)) {
      throw new IllegalStateException(
          "the curve of resource "
              + resource
              + " gives "
              + capacity
              + " units per second for "
              + flowCount(resource)
              + " flows");
    }
    setCapacity(resource, capacity);
  }

  /** Takes down what moved until {@code tick}; to be called before what is in use changes. */
  void advance(int resource, long tick) {
    int line = resource * LINE;
    long ticks = tick - Double.doubleToRawLongBits(lines[line + SINCE]);
    if (ticks > 0) {
      lines[line + SINCE] = Double.longBitsToDouble(tick);
      double used = lines[line + USED];
      if (used > 0) {
        lines[line + MOVED_UNIT_TICKS] += used * ticks;
        lines[line + BUSY_TICKS] = Double.longBitsToDouble(busyTicks(resource) + ticks);
      }
    }
  }

  /** Counts units that moved in no time. */
  void addMoved(int resource, double unitTicks) {
    lines[resource * LINE + MOVED_UNIT_TICKS] += unitTicks;
  }

  double movedUnitTicks(int resource) {
    return lines[resource * LINE + MOVED_UNIT_TICKS];
  }

  long busyTicks(int resource) {
    return Double.doubleToRawLongBits(lines[resource * LINE + BUSY_TICKS]);
  }

  /** Enters a lane into the list; returns its place there. */
  int enter(int resource, int lane) {
    int place = (int) lines[resource * LINE + LANES]++;
    if (place == lanes[resource].length) {
      lanes[resource] = Arrays.copyOf(lanes[resource], (place + 2 + (place >> LIST_SHIFT)) & ~1);
    }
    lanes[resource][place] = lane;
    return place;
  }

  /**
   * The place of a lane in the list, of which {@code lowBits} are the last 16 bits: nearly always
   * all that there are.
   */
  int placeOf(int resource, int lane, char lowBits) {
    int[] members = lanes[resource];
    int place = lowBits;
    while (members[place] != lane) {
      place += 1 << Character.SIZE;
    }
    return place;
  }

  /**
   * Takes the lane at {@code place} out of the list; the last one, which is returned, goes there.
   */
  int leave(int resource, int place) {
    int lanesLeft = (int) --lines[resource * LINE + LANES];
    int last = lanes[resource][lanesLeft];
    lanes[resource][place] = last;
    if (lanesLeft == 0) {
      // Rounding errors of what came and went end here.
      setUsed(resource, 0);
      setFastest(resource, 0);
    }
    return last;
  }

  private void grow() {
    int length = 2 * count;
    curve = Arrays.copyOf(curve, length);
    lanes = Arrays.copyOf(lanes, length);
    lines = Arrays.copyOf(lines, length * LINE);
  }
}
