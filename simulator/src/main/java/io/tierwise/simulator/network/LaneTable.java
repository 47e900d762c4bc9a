package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * Lanes: all flows with the same resources, costs and rate limit share one, and with it their rate.
 * A hundred flows from one node to another are one variable of weight 100, and readers of one disk
 * are ended in O(log n) whatever happens to their rate. Most lanes of a large cluster hold one
 * flow.
 *
 * <p>The arrays are read and written by the network and the solver; this class keeps the paths, and
 * finds the lane of a path. Ids are used again.
 */
final class LaneTable {
  static final int NONE = -1;

  /** Bytes per second of each flow of the lane. */
  double[] rate = new double[64];

  double[] rateMax = new double[64];

  /** Bytes that one flow would have moved since the lane was made, at tick {@link #since}. */
  double[] volume = new double[64];

  long[] since = new long[64];

  /** The resource that keeps the lane from being faster; {@link #NONE}: its limit, or unknown. */
  int[] bottleneck = new int[64];

  /** Flows on the lane; 0 for an id that is not in use. */
  int[] weight = new int[64];

  /** Flows on the lane as its resources count them; another number than the weight: see changes. */
  int[] settledWeight = new int[64];

  /** Whether {@link LaneChanges} has it in its list. */
  boolean[] isChanged = new boolean[64];

  /** Head of the lane's heap of flows. */
  int[] head = new int[64];

  /** Where the lane's path starts in the three path arrays, and how long it is. */
  int[] offset = new int[64];

  int[] length = new int[64];

  int[] pathResource = new int[256];
  double[] pathUnits = new double[256];

  /** The lane's place in the list of the path entry's resource. */
  int[] pathPlace = new int[256];

  private int pathEnd;
  private int[] freePaths = new int[0];
  private int[] hashes = new int[64];
  private int[] next = new int[64];
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

  /** The lane of a path, made with weight 0 if there is none. */
  int find(int[] resources, double[] units, int pathLength, double limit) {
    int hash = hash(resources, units, pathLength, limit);
    for (int lane = buckets[hash & (buckets.length - 1)]; lane != NONE; lane = next[lane]) {
      if (hashes[lane] == hash && isSame(lane, resources, units, pathLength, limit)) {
        return lane;
      }
    }
    int lane = newId();
    rate[lane] = 0;
    rateMax[lane] = limit;
    volume[lane] = 0;
    bottleneck[lane] = NONE;
    weight[lane] = 0;
    settledWeight[lane] = 0;
    head[lane] = FlowTable.NONE;
    length[lane] = pathLength;
    offset[lane] = newPath(pathLength);
    System.arraycopy(resources, 0, pathResource, offset[lane], pathLength);
    System.arraycopy(units, 0, pathUnits, offset[lane], pathLength);
    hashes[lane] = hash;
    int bucket = hash & (buckets.length - 1);
    next[lane] = buckets[bucket];
    buckets[bucket] = lane;
    count++;
    return lane;
  }

  /** Gives a lane of weight 0 back. */
  void free(int lane) {
    int bucket = hashes[lane] & (buckets.length - 1);
    if (buckets[bucket] == lane) {
      buckets[bucket] = next[lane];
    } else {
      int before = buckets[bucket];
      while (next[before] != lane) {
        before = next[before];
      }
      next[before] = next[lane];
    }
    if (length[lane] > 0) {
      pathResource[offset[lane]] = freePaths[length[lane]];
      freePaths[length[lane]] = offset[lane];
    }
    next[lane] = firstFree;
    firstFree = lane;
    count--;
  }

  /** What a rate counts in sums: flows without any limit end at once and use nothing meanwhile. */
  static double finite(double rate) {
    return rate == Double.POSITIVE_INFINITY ? 0 : rate;
  }

  /** Lets the lane's flows move until {@code tick} at the rate that they had. */
  void advance(int lane, long tick) {
    long ticks = tick - since[lane];
    if (ticks > 0) {
      volume[lane] += rate[lane] * FlowNetwork.seconds(ticks);
      since[lane] = tick;
    }
  }

  /** Lets an empty lane's volume count from 0 at {@code tick}. */
  void restart(int lane, long tick) {
    volume[lane] = 0;
    since[lane] = tick;
  }

  /** Units that all flows of a lane take of one of its resources, per byte of one flow. */
  double unitsOn(int lane, int resource) {
    int entry = offset[lane];
    while (pathResource[entry] != resource) {
      entry++;
    }
    return pathUnits[entry] * weight[lane];
  }

  private int newId() {
    if (firstFree != NONE) {
      int lane = firstFree;
      firstFree = next[lane];
      return lane;
    }
    if (used == rate.length) {
      grow();
    }
    return used++;
  }

  /** Room for a path: one that an earlier lane of the same length left, or new. */
  private int newPath(int pathLength) {
    if (pathLength >= freePaths.length) {
      int before = freePaths.length;
      freePaths = Arrays.copyOf(freePaths, pathLength + 1);
      Arrays.fill(freePaths, before, freePaths.length, NONE);
    }
    if (pathLength > 0 && freePaths[pathLength] != NONE) {
      int path = freePaths[pathLength];
      freePaths[pathLength] = pathResource[path];
      return path;
    }
    if (pathEnd + pathLength > pathResource.length) {
      int capacity = pathEnd + pathLength + (pathEnd >> 2);
      pathResource = Arrays.copyOf(pathResource, capacity);
      pathUnits = Arrays.copyOf(pathUnits, capacity);
      pathPlace = Arrays.copyOf(pathPlace, capacity);
    }
    pathEnd += pathLength;
    return pathEnd - pathLength;
  }

  private boolean isSame(int lane, int[] resources, double[] units, int pathLength, double limit) {
    if (length[lane] != pathLength || rateMax[lane] != limit) {
      return false;
    }
    int path = offset[lane];
    for (int i = 0; i < pathLength; i++) {
      if (pathResource[path + i] != resources[i] || pathUnits[path + i] != units[i]) {
        return false;
      }
    }
    return true;
  }

  private static int hash(int[] resources, double[] units, int pathLength, double limit) {
    long hash = Double.doubleToRawLongBits(limit);
    for (int i = 0; i < pathLength; i++) {
      hash = (hash ^ resources[i]) * 0x9e3779b97f4a7c15L;
      hash = (hash ^ (hash >>> 29)) + Double.doubleToRawLongBits(units[i]);
    }
    hash *= 0xbf58476d1ce4e5b9L;
    return (int) (hash >>> 32);
  }

  private void grow() {
    int capacity = used + (used >> 2);
    rate = Arrays.copyOf(rate, capacity);
    rateMax = Arrays.copyOf(rateMax, capacity);
    volume = Arrays.copyOf(volume, capacity);
    since = Arrays.copyOf(since, capacity);
    bottleneck = Arrays.copyOf(bottleneck, capacity);
    weight = Arrays.copyOf(weight, capacity);
    settledWeight = Arrays.copyOf(settledWeight, capacity);
    isChanged = Arrays.copyOf(isChanged, capacity);
    head = Arrays.copyOf(head, capacity);
    offset = Arrays.copyOf(offset, capacity);
    length = Arrays.copyOf(length, capacity);
    hashes = Arrays.copyOf(hashes, capacity);
    next = Arrays.copyOf(next, capacity);
    if (capacity > buckets.length) {
      rehash(2 * buckets.length);
    }
  }

  private void rehash(int bucketCount) {
    int[] before = buckets;
    buckets = filled(bucketCount);
    for (int first : before) {
      int lane = first;
      while (lane != NONE) {
        int following = next[lane];
        int bucket = hashes[lane] & (bucketCount - 1);
        next[lane] = buckets[bucket];
        buckets[bucket] = lane;
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
