package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * Lanes: all flows with the same resources, costs and rate limit share one, and with it their rate.
 * A hundred flows from one node to another are one variable of weight 100, and readers of one disk
 * are ended in O(log n) whatever happens to their rate. Most lanes of a large cluster hold one
 * flow.
 *
 * <p>Finds the lane of a path. Ids are used again.
 */
final class LaneTable {
  static final int NONE = -1;

  /** Eight words a lane, a line of a cache: most lanes are looked at whole or not at all. */
  private static final int LINE = 8;

  // Doubles, by their bits.
  private static final int RATE = 0;
  private static final int RATE_MAX = 1;
  private static final int VOLUME = 2;

  private static final int SINCE = 3;

  // Two numbers a word, the first one in its upper half.
  private static final int WEIGHT_AND_BOTTLENECK = 4;
  private static final int OFFSET_AND_COSTS = 5;
  private static final int HEAD_AND_NEXT = 6;

  // A changed lane is settled before it is divided for: both keep their notes in one place.
  private static final int WEIGHT_BEFORE_AND_NEXT_CHANGED = 7;
  private static final int RATE_BEFORE = 7;

  private static final long LOWER_MASK = 0xFFFFFFFFL;

  /** {@link LaneChanges} has the lane in its list. */
  static final int CHANGED = 1;

  /** The lane is to be divided for, and was, until the division is done. */
  static final int WAITING = 2;

  /** The lane is one of the present filling. */
  static final int MEMBER = 4;

  /** Nothing yet stopped the lane in the present filling. */
  static final int RISING = 8;

  private long[] lines = new long[64 * LINE];

  private byte[] marks = new byte[64];

  /** A bit for each id that is in use: after a burst most of those ever given are not. */
  private long[] inUse = new long[1];

  private final PathTable paths = new PathTable();
  private final CostTable costs = new CostTable();
  private int[] buckets = filled(64);
  private int used;
  private int firstFree = NONE;
  private int count;

  /** Lanes in use. */
  int count() {
    return count;
  }

  /** One past the greatest id ever given. */
  int idLimit() {
    return used;
  }

  /** The least id in use that is not below one; {@link #NONE} when there is none. */
  int nextInUse(int least) {
    int word = least >> 6;
    if (word >= inUse.length) {
      return NONE;
    }
    long bits = inUse[word] & (-1L << least);
    while (bits == 0) {
      if (++word == inUse.length) {
        return NONE;
      }
      bits = inUse[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** Bytes per second of each flow of the lane; no number for an id that is not in use. */
  double rate(int lane) {
    return number(lane, RATE);
  }

  void setRate(int lane, double bytesPerSecond) {
    setNumber(lane, RATE, bytesPerSecond);
  }

  double rateMax(int lane) {
    return number(lane, RATE_MAX);
  }

  /** Bytes that one flow would have moved since the lane was made, at tick {@link #since}. */
  double volume(int lane) {
    return number(lane, VOLUME);
  }

  long since(int lane) {
    return lines[lane * LINE + SINCE];
  }

  /** The resource that keeps the lane from being faster; {@link #NONE}: its limit, or unknown. */
  int bottleneck(int lane) {
    return lower(lane, WEIGHT_AND_BOTTLENECK);
  }

  void setBottleneck(int lane, int resource) {
    setLower(lane, WEIGHT_AND_BOTTLENECK, resource);
  }

  /** Flows on the lane; 0 for an id that is not in use. */
  int weight(int lane) {
    return upper(lane, WEIGHT_AND_BOTTLENECK);
  }

  void addWeight(int lane, int difference) {
    lines[lane * LINE + WEIGHT_AND_BOTTLENECK] += (long) difference << Integer.SIZE;
  }

  boolean is(int lane, int mark) {
    return (marks[lane] & mark) != 0;
  }

  void mark(int lane, int mark) {
    marks[lane] |= (byte) mark;
  }

  void unmark(int lane, int marksToClear) {
    marks[lane] &= (byte) ~marksToClear;
  }

  /** Keeps the weight that the lane has, as last of the changed lanes. */
  void startChange(int lane) {
    setPair(lane, WEIGHT_BEFORE_AND_NEXT_CHANGED, weight(lane), NONE);
  }

  /** Flows on a changed lane as its resources count them: those before the instant. */
  int weightBefore(int lane) {
    return upper(lane, WEIGHT_BEFORE_AND_NEXT_CHANGED);
  }

  /** The lane that changed after this changed one. */
  int nextChanged(int lane) {
    return lower(lane, WEIGHT_BEFORE_AND_NEXT_CHANGED);
  }

  void setNextChanged(int lane, int following) {
    setLower(lane, WEIGHT_BEFORE_AND_NEXT_CHANGED, following);
  }

  /** Keeps the rate that a lane comes to a filling with. */
  void keepRateBefore(int lane) {
    lines[lane * LINE + RATE_BEFORE] = lines[lane * LINE + RATE];
  }

  /** The rate that a member of the present filling came with. */
  double rateBefore(int lane) {
    return number(lane, RATE_BEFORE);
  }

  /** Head of the lane's heap of flows. */
  int head(int lane) {
    return upper(lane, HEAD_AND_NEXT);
  }

  void setHead(int lane, int flow) {
    setPair(lane, HEAD_AND_NEXT, flow, next(lane));
  }

  /** The first entry of the lane's path. */
  int offset(int lane) {
    return upper(lane, OFFSET_AND_COSTS);
  }

  /** Entries of the lane's path. */
  int length(int lane) {
    return costs.length(costs(lane));
  }

  int resource(int entry) {
    return paths.resource(entry);
  }

  /** The place of the first of the costs of the lane's path; the others follow. */
  int firstCost(int lane) {
    return costs.first(costs(lane));
  }

  /** Units of the resource for each byte. */
  double units(int cost) {
    return costs.units(cost);
  }

  /** The last bits of the lane's place in the list of the entry's resource. */
  char place(int entry) {
    return paths.place(entry);
  }

  void setPlace(int entry, int place) {
    paths.setPlace(entry, place);
  }

  /** The lane of a path, made with weight 0 if there is none. */
  int find(int[] resources, double[] unitsPerByte, int pathLength, double limit) {
    int kind = costs.take(unitsPerByte, pathLength);
    int hash = PathTable.hash(resources, 0, pathLength, seed(kind, limit));
    for (int lane = buckets[hash & (buckets.length - 1)]; lane != NONE; lane = next(lane)) {
      if (costs(lane) == kind
          && rateMax(lane) == limit
          && paths.isSame(offset(lane), resources, pathLength)) {
        costs.giveBack(kind);
        return lane;
      }
    }
    int lane = newId();
    setNumber(lane, RATE, 0);
    setNumber(lane, RATE_MAX, limit);
    setNumber(lane, VOLUME, 0);
    setPair(lane, WEIGHT_AND_BOTTLENECK, 0, NONE);
    setPair(lane, OFFSET_AND_COSTS, paths.add(resources, pathLength), kind);
    setPair(lane, HEAD_AND_NEXT, FlowTable.NONE, NONE);
    link(lane, hash);
    inUse[lane >> 6] |= 1L << lane;
    count++;
    return lane;
  }

  /** Gives a lane of weight 0 back. */
  void free(int lane) {
    int bucket = hash(lane) & (buckets.length - 1);
    if (buckets[bucket] == lane) {
      buckets[bucket] = next(lane);
    } else {
      int before = buckets[bucket];
      while (next(before) != lane) {
        before = next(before);
      }
      setNext(before, next(lane));
    }
    paths.free(offset(lane), length(lane));
    costs.giveBack(costs(lane));
    setRate(lane, Double.NaN);
    setNext(lane, firstFree);
    firstFree = lane;
    inUse[lane >> 6] &= ~(1L << lane);
    count--;
  }

  /** A rate as it counts in sums: flows without any limit end at once and use nothing meanwhile. */
  static double finite(double rate) {
    return rate == Double.POSITIVE_INFINITY ? 0 : rate;
  }

  /** Lets the lane's flows move until {@code tick} at the rate that they had. */
  void advance(int lane, long tick) {
    long ticks = tick - since(lane);
    if (ticks > 0) {
      setNumber(lane, VOLUME, volume(lane) + rate(lane) * FlowNetwork.seconds(ticks));
      lines[lane * LINE + SINCE] = tick;
    }
  }

  /** Lets the volume count from 0 at {@code tick}. */
  void restart(int lane, long tick) {
    resetVolume(lane);
    lines[lane * LINE + SINCE] = tick;
  }

  /** Sets the volume back to 0; what was measured by it is to be set back, too. */
  void resetVolume(int lane) {
    setNumber(lane, VOLUME, 0);
  }

  /** Units that all flows of a lane take of one of its resources, per byte of one flow. */
  double unitsOn(int lane, int resource) {
    int entry = offset(lane);
    int cost = firstCost(lane);
    while (resource(entry) != resource) {
      entry++;
      cost++;
    }
    return units(cost) * weight(lane);
  }

  private int costs(int lane) {
    return lower(lane, OFFSET_AND_COSTS);
  }

  private int hash(int lane) {
    return paths.hash(offset(lane), length(lane), seed(costs(lane), rateMax(lane)));
  }

  private void link(int lane, int hash) {
    int bucket = hash & (buckets.length - 1);
    setNext(lane, buckets[bucket]);
    buckets[bucket] = lane;
  }

  private int next(int lane) {
    return lower(lane, HEAD_AND_NEXT);
  }

  private void setNext(int lane, int following) {
    setLower(lane, HEAD_AND_NEXT, following);
  }

  private double number(int lane, int word) {
    return Double.longBitsToDouble(lines[lane * LINE + word]);
  }

  private void setNumber(int lane, int word, double number) {
    lines[lane * LINE + word] = Double.doubleToRawLongBits(number);
  }

  private int upper(int lane, int word) {
    return (int) (lines[lane * LINE + word] >>> Integer.SIZE);
  }

  private int lower(int lane, int word) {
    return (int) lines[lane * LINE + word];
  }

  private void setPair(int lane, int word, int upper, int lower) {
    lines[lane * LINE + word] = (long) upper << Integer.SIZE | (lower & LOWER_MASK);
  }

  private void setLower(int lane, int word, int lower) {
    int at = lane * LINE + word;
    lines[at] = (lines[at] & ~LOWER_MASK) | (lower & LOWER_MASK);
  }

  private int newId() {
    if (firstFree != NONE) {
      int lane = firstFree;
      firstFree = next(lane);
      return lane;
    }
    if (used == marks.length) {
      grow();
    }
    return used++;
  }

  private static long seed(int kind, double limit) {
    return Double.doubleToRawLongBits(limit) + kind;
  }

  private void grow() {
    int capacity = Growth.after(used);
    lines = Arrays.copyOf(lines, capacity * LINE);
    marks = Arrays.copyOf(marks, capacity);
    inUse = Arrays.copyOf(inUse, (capacity + 63) >> 6);
    if (capacity > 2 * buckets.length) {
      rehash(2 * buckets.length);
    }
  }

  private void rehash(int bucketCount) {
    int[] before = buckets;
    buckets = filled(bucketCount);
    for (int first : before) {
      int lane = first;
      while (lane != NONE) {
        int following = next(lane);
        link(lane, hash(lane));
        lane = following;
      }
    }
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }
}
