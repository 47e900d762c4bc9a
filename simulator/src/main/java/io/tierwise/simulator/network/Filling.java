package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * Progressive filling of some lanes: their rates rise together from 0; a lane stays where it meets
 * a full resource or its own limit, the others go on. What the lanes outside of the filling use of
 * a resource is taken as given.
 *
 * <p>Lanes, resources and path entries have local numbers from 0, so that a filling touches memory
 * in proportion to itself and not to the network. Lanes can be added between two fillings.
 *
 * <p>Source: Bertsekas and Gallager, Data Networks, 6.5.2 (max-min fair flow control). Deviation:
 * the next full resource comes from a heap whose keys are only corrected at its top. That is enough
 * because the level at which a resource gets full can only rise when a lane on it stays below.
 */
final class Filling {
  static final int NONE = -1;

  /** Own: a smaller part of a sum is what rounding left of it when all was subtracted. */
  private static final double NOISE = 1e-14;

  /** Global ids of the lanes. */
  int[] lane = new int[16];

  double[] rate = new double[16];

  /** Local number of the resource that stopped the lane; {@link #NONE}: its limit, or nothing. */
  int[] stoppedBy = new int[16];

  int laneCount;

  /** Global ids of the resources. */
  int[] resource = new int[64];

  /** Units per second that the last filling left. */
  double[] residual = new double[64];

  /** The rate of the lanes that the resource stopped; {@link #NONE} if it stopped none. */
  double[] level = new double[64];

  int resourceCount;

  private double[] limit = new double[16];
  private int[] firstEntry = new int[17];
  private boolean[] isRising = new boolean[16];

  private int[] entryResource = new int[64];
  private double[] entryDemand = new double[64];
  private int[] entryLane = new int[64];

  /** The next entry with the same resource. */
  private int[] entryNext = new int[64];

  private double[] capacity = new double[64];
  private double[] used = new double[64];
  private double[] usedByOthers = new double[64];
  private double[] demandOfAll = new double[64];
  private int[] laneCountOf = new int[64];
  private int[] entryOf = new int[64];

  private double[] demand = new double[64];
  private int[] rising = new int[64];

  private double[] heapKey = new double[64];
  private int[] heapItem = new int[64];
  private int heapSize;

  void clear() {
    laneCount = 0;
    resourceCount = 0;
    firstEntry[0] = 0;
  }

  /** Adds a resource and what all lanes have of it in units per second; returns its number. */
  int addResource(int id, double capacity, double used) {
    if (resourceCount == resource.length) {
      growResources();
    }
    int local = resourceCount++;
    resource[local] = id;
    this.capacity[local] = capacity;
    this.used[local] = used;
    usedByOthers[local] = used;
    demandOfAll[local] = 0;
    laneCountOf[local] = 0;
    entryOf[local] = NONE;
    return local;
  }

  /** Adds a lane without entries; {@link #addEntry} then adds those of the last lane. */
  int addLane(int id, double rateMax) {
    if (laneCount == lane.length) {
      growLanes();
    }
    int local = laneCount++;
    lane[local] = id;
    limit[local] = rateMax;
    firstEntry[local + 1] = firstEntry[local];
    return local;
  }

  /**
   * Lets the last lane use a resource.
   *
   * @param unitsPerByte units that all flows of the lane take per byte of one of them
   * @param unitsPerSecond what the lane has so far, which is now given anew
   */
  void addEntry(int local, double unitsPerByte, double unitsPerSecond) {
    int entry = firstEntry[laneCount]++;
    if (entry == entryResource.length) {
      growEntries();
    }
    entryResource[entry] = local;
    entryDemand[entry] = unitsPerByte;
    entryLane[entry] = laneCount - 1;
    entryNext[entry] = entryOf[local];
    entryOf[local] = entry;
    usedByOthers[local] -= unitsPerSecond;
    demandOfAll[local] += unitsPerByte;
    laneCountOf[local]++;
  }

  /** True when lanes outside of the filling use something of a resource. */
  boolean isSharedWithOthers(int local) {
    return usedByOthers[local] > NOISE * used[local];
  }

  void fill() {
    for (int local = 0; local < resourceCount; local++) {
      double others = isSharedWithOthers(local) ? usedByOthers[local] : 0;
      residual[local] = capacity[local] - others;
    }
    System.arraycopy(demandOfAll, 0, demand, 0, resourceCount);
    System.arraycopy(laneCountOf, 0, rising, 0, resourceCount);
    Arrays.fill(level, 0, resourceCount, NONE);
    Arrays.fill(isRising, 0, laneCount, true);
    makeHeap();
    int risingCount = laneCount;
    double reached = 0;
    while (risingCount > 0 && heapSize > 0) {
      int item = heapItem[0];
      if (item < 0) {
        if (isRising[~item]) {
          reached = Math.max(reached, heapKey[0]);
          stay(~item, reached, NONE);
          risingCount--;
        }
        dropTop();
      } else if (rising[item] == 0) {
        dropTop();
      } else {
        double full = Math.max(0, residual[item]) / demand[item];
        if (full > heapKey[0]) {
          down(full, item);
        } else {
          reached = Math.max(reached, full);
          level[item] = reached;
          risingCount -= stopAll(item, reached);
          dropTop();
        }
      }
    }
    if (risingCount > 0) {
      letGo();
    }
  }

  private int stopAll(int local, double at) {
    int stopped = 0;
    for (int entry = entryOf[local]; entry != NONE; entry = entryNext[entry]) {
      int member = entryLane[entry];
      if (isRising[member]) {
        stay(member, at, local);
        stopped++;
      }
    }
    return stopped;
  }

  private void stay(int member, double at, int by) {
    isRising[member] = false;
    rate[member] = at;
    stoppedBy[member] = by;
    int end = firstEntry[member + 1];
    for (int entry = firstEntry[member]; entry < end; entry++) {
      int local = entryResource[entry];
      residual[local] -= entryDemand[entry] * at;
      demand[local] -= entryDemand[entry];
      rising[local]--;
    }
  }

  /** Nothing stands in the way of the lanes that still rise. */
  private void letGo() {
    for (int member = 0; member < laneCount; member++) {
      if (isRising[member]) {
        rate[member] = Double.POSITIVE_INFINITY;
        stoppedBy[member] = NONE;
      }
    }
  }

  private void makeHeap() {
    if (heapKey.length < resourceCount + laneCount) {
      int length = 2 * (resourceCount + laneCount);
      heapKey = new double[length];
      heapItem = new int[length];
    }
    heapSize = 0;
    for (int local = 0; local < resourceCount; local++) {
      if (rising[local] > 0) {
        heapKey[heapSize] = Math.max(0, residual[local]) / demand[local];
        heapItem[heapSize++] = local;
      }
    }
    for (int member = 0; member < laneCount; member++) {
      if (limit[member] < Double.POSITIVE_INFINITY) {
        heapKey[heapSize] = limit[member];
        heapItem[heapSize++] = ~member;
      }
    }
    for (int slot = (heapSize >> 1) - 1; slot >= 0; slot--) {
      sift(slot, heapKey[slot], heapItem[slot]);
    }
  }

  private void dropTop() {
    heapSize--;
    if (heapSize > 0) {
      down(heapKey[heapSize], heapItem[heapSize]);
    }
  }

  private void down(double key, int item) {
    sift(0, key, item);
  }

  private void sift(int slot, double key, int item) {
    int hole = slot;
    for (int child = 2 * hole + 1; child < heapSize; child = 2 * hole + 1) {
      if (child + 1 < heapSize && heapKey[child + 1] < heapKey[child]) {
        child++;
      }
      if (key <= heapKey[child]) {
        break;
      }
      heapKey[hole] = heapKey[child];
      heapItem[hole] = heapItem[child];
      hole = child;
    }
    heapKey[hole] = key;
    heapItem[hole] = item;
  }

  private void growLanes() {
    int length = 2 * laneCount;
    lane = Arrays.copyOf(lane, length);
    rate = Arrays.copyOf(rate, length);
    stoppedBy = Arrays.copyOf(stoppedBy, length);
    limit = Arrays.copyOf(limit, length);
    firstEntry = Arrays.copyOf(firstEntry, length + 1);
    isRising = Arrays.copyOf(isRising, length);
  }

  private void growResources() {
    int length = 2 * resourceCount;
    resource = Arrays.copyOf(resource, length);
    residual = Arrays.copyOf(residual, length);
    level = Arrays.copyOf(level, length);
    capacity = Arrays.copyOf(capacity, length);
    used = Arrays.copyOf(used, length);
    usedByOthers = Arrays.copyOf(usedByOthers, length);
    demandOfAll = Arrays.copyOf(demandOfAll, length);
    laneCountOf = Arrays.copyOf(laneCountOf, length);
    entryOf = Arrays.copyOf(entryOf, length);
    demand = Arrays.copyOf(demand, length);
    rising = Arrays.copyOf(rising, length);
  }

  private void growEntries() {
    int length = 2 * entryResource.length;
    entryResource = Arrays.copyOf(entryResource, length);
    entryDemand = Arrays.copyOf(entryDemand, length);
    entryLane = Arrays.copyOf(entryLane, length);
    entryNext = Arrays.copyOf(entryNext, length);
  }
}
