package io.tierwise.policies.access;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Bytes that readers were sent to lately, by the resource that they pass; drained at the resource's
 * nominal speed. And how many readers were sent to each node lately. This is the memory that {@link
 * AutoAccess} has of its own answers.
 *
 * <p>Safe for many threads without a lock: two answers at one moment may lose one count. Bounded:
 * sixteen bytes a slot, eight slots where a resource may be; the one that was used longest ago goes
 * to a new resource. A count whose time makes no sense, because the clock jumped or wrapped, is
 * forgotten.
 */
public final class ReadLoads {
  /**
   * Own: 1 MiB. A resource needs its slot for as long as it drains, some seconds; so the table must
   * hold what is read in that time, not the cluster.
   */
  static final int SLOTS = 1 << 16;

  /** Own: no block takes longer to drain, at any speed that somebody configures. */
  static final int FORGOTTEN_MILLIS = 600_000;

  /** Own: how far the clocks of two threads may look apart. */
  private static final int BACKWARDS_MILLIS_MAX = 1_000;

  /**
   * Own: an answer counts 1/e after so long. HDFS's clients keep a connection for 3 s after a read
   * ({@code dfs.client.socketcache.expiryMsec}), and what nodes report is up to 3 s old; 4 to 12 s
   * make no difference in the simulator.
   */
  private static final double ANSWER_FADES_MILLIS = 6_000;

  /**
   * The rest of an answer after so many milliseconds, and after so many times 64 of them: an
   * exponential function for each node takes longer than all the rest of an order.
   */
  private static final float[] LEFT_AFTER_MILLIS = faded(1, 64);

  private static final float[] LEFT_AFTER_64_MILLIS = faded(64, 1024);

  /** More readers than a node has threads for. */
  private static final double ANSWERS_MAX = 1e6;

  /** Marks a count of answers, where a speed stands for one of bytes. */
  private static final double FADES = -1;

  /** Apart from all resources, whose keys are small or negative. */
  private static final long NODES = 1L << 62;

  /** Likewise; 0 is a resource. */
  private static final long NO_RESOURCE = NODES | 1L << 61;

  /** Hosts tell by the lowest bits of a key what it is of, and number what is of one kind. */
  private static final int KIND_BITS = 3;

  private static final long KINDS = (1L << KIND_BITS) - 1;

  /**
   * Own: two bits of a number, so that four neighbours share a set. It has room for as many again.
   */
  private static final int NEIGHBOR_BITS = 2;

  /** The kind that a node's link has in every host; its answers are looked up beside it. */
  private static final int LINK_OF_NODE = 1;

  /** Own: an eighth of the table's sets, and odd, so that kinds do not begin alike. */
  private static final int SETS_BETWEEN_KINDS = 1021;

  private static final int WAYS = 8;

  /**
   * By slot a key and its load, side by side: of a large table, what is fetched into a cache
   * counts. A load is bytes as a float in the upper half, the milliseconds of that moment in the
   * lower.
   */
  private final AtomicLongArray table;

  private final int setMask;

  public ReadLoads() {
    this(SLOTS);
  }

  /**
   * @param slotCount a power of two, at least eight
   */
  ReadLoads(int slotCount) {
    table = new AtomicLongArray(2 * slotCount);
    setMask = slotCount / WAYS - 1;
  }

  /** Bytes that are still to pass the resource, as far as this knows. */
  double backlogBytes(long resource, double bytesPerSecond, long nowMillis) {
    int slot = find(resource, keyOf(resource));
    return slot < 0 ? 0 : left(load(slot), bytesPerSecond, nowMillis);
  }

  /**
   * A reader is sent there for {@code bytes}; less than 0 takes back what was added.
   *
   * @param bytesMax what is left never exceeds this, nor falls below 0
   * @return by how much there is more, to be taken back if nothing is read: the bound leaves out
   *     the rest, which never was there
   */
  double add(long resource, double bytesPerSecond, double bytes, double bytesMax, long nowMillis) {
    long key = keyOf(resource);
    int slot = find(resource, key);
    if (slot < 0) {
      return bytes > 0 ? addNew(resource, key, Math.min(bytes, bytesMax), nowMillis) : 0;
    }
    long before;
    long after;
    double left;
    double sum;
    do {
      before = load(slot);
      left = left(before, bytesPerSecond, nowMillis);
      sum = bounded(left + bytes, bytesMax);
      after = packed(sum, later(before, nowMillis));
    } while (!table.compareAndSet(2 * slot + 1, before, after));
    return sum - left;
  }

  private double addNew(long resource, long key, double bytes, long nowMillis) {
    table.set(2 * take(resource, key, nowMillis) + 1, packed(bytes, nowMillis));
    return bytes;
  }

  /**
   * Calls are handled in any order. A load of a little later keeps its time: what had drained by
   * then would drain again.
   */
  private static long later(long load, long nowMillis) {
    int ahead = (int) load - (int) nowMillis;
    return ahead > 0 && ahead <= BACKWARDS_MILLIS_MAX ? load : nowMillis;
  }

  /** As {@link #add}; what was counted is written down. */
  void add(
      long resource,
      double bytesPerSecond,
      double bytes,
      double bytesMax,
      long nowMillis,
      AnswerCounts counts) {
    double added = add(resource, bytesPerSecond, bytes, bytesMax, nowMillis);
    counts.add(resource, bytesPerSecond, added, nowMillis);
  }

  private static long ofNode(int node) {
    return NODES | Integer.toUnsignedLong(node) << KIND_BITS | LINK_OF_NODE;
  }

  /** Whether it stands for a node, and not for a resource; these are small or negative. */
  private static boolean isOfNode(long resource) {
    return resource >= NODES;
  }

  /** Readers that were sent to the node lately, as far as this knows. */
  double answers(int node, long nowMillis) {
    return backlogBytes(ofNode(node), FADES, nowMillis);
  }

  /** A reader is sent to the node, or a part of one; what was counted is written down. */
  void addAnswer(int node, double share, long nowMillis, AnswerCounts counts) {
    add(ofNode(node), FADES, share, ANSWERS_MAX, nowMillis, counts);
  }

  private static double bounded(double bytes, double bytesMax) {
    return Math.max(0, Math.min(bytes, bytesMax));
  }

  private static double left(long load, double bytesPerSecond, long nowMillis) {
    double bytes = Float.intBitsToFloat((int) (load >>> Integer.SIZE));
    int elapsed = elapsedMillis(load, nowMillis);
    if (bytes == 0 || elapsed == 0) {
      return bytes;
    }
    if (elapsed >= FORGOTTEN_MILLIS) {
      return 0;
    }
    return bytesPerSecond == FADES
        ? bytes * leftAfter(elapsed)
        : Math.max(0, bytes - bytesPerSecond * elapsed / 1000.0);
  }

  private static float[] faded(int stepMillis, int steps) {
    float[] left = new float[steps];
    for (int step = 0; step < steps; step++) {
      left[step] = (float) Math.exp(-step * stepMillis / ANSWER_FADES_MILLIS);
    }
    return left;
  }

  private static double leftAfter(int elapsedMillis) {
    int coarse = elapsedMillis >> 6;
    return coarse < LEFT_AFTER_64_MILLIS.length
        ? LEFT_AFTER_64_MILLIS[coarse] * LEFT_AFTER_MILLIS[elapsedMillis & 63]
        : 0;
  }

  /** A little backwards is now; anything else that makes no sense was long ago. */
  private static int elapsedMillis(long load, long nowMillis) {
    int elapsed = (int) nowMillis - (int) load;
    if (elapsed >= 0) {
      return elapsed;
    }
    return elapsed >= -BACKWARDS_MILLIS_MAX ? 0 : FORGOTTEN_MILLIS;
  }

  private static long packed(double bytes, long nowMillis) {
    long upper = Float.floatToRawIntBits((float) bytes);
    return upper << Integer.SIZE | (nowMillis & 0xFFFF_FFFFL);
  }

  /** Never 0, which marks a free slot. */
  private static long keyOf(long resource) {
    long key = resource ^ NO_RESOURCE;
    return key == 0 ? 1 : key;
  }

  private long key(int slot) {
    return table.get(2 * slot);
  }

  private long load(int slot) {
    return table.get(2 * slot + 1);
  }

  /**
   * Mostly looks at one slot: a resource takes its own while that is free, and no slot is free
   * again.
   */
  private int find(long resource, long key) {
    int own = ownSlot(resource);
    long there = key(own);
    if (there == key) {
      return own;
    }
    return there == 0 ? -1 : findInSet(firstSlot(resource), key);
  }

  private int findInSet(int first, long key) {
    for (int slot = first; slot < first + WAYS; slot++) {
      if (key(slot) == key) {
        return slot;
      }
    }
    return -1;
  }

  private int take(long resource, long key, long nowMillis) {
    int own = ownSlot(resource);
    int taken = key(own) == 0 ? own : freeOrOldest(firstSlot(resource), nowMillis);
    table.set(2 * taken, key);
    return taken;
  }

  private int freeOrOldest(int first, long nowMillis) {
    int oldest = first;
    for (int slot = first; slot < first + WAYS; slot++) {
      if (key(slot) == 0) {
        return slot;
      }
      if (elapsedMillis(load(slot), nowMillis) > elapsedMillis(load(oldest), nowMillis)) {
        oldest = slot;
      }
    }
    return oldest;
  }

  /** A node's link and its answers lie side by side, and apart from those of its neighbours. */
  private int ownSlot(long resource) {
    int neighbor = (int) (resource >> KIND_BITS) & (1 << NEIGHBOR_BITS) - 1;
    return firstSlot(resource) + 2 * neighbor + (isOfNode(resource) ? 1 : 0);
  }

  /**
   * Resources of one kind lie in the order of their numbers, so that those of a cluster are on a
   * few lines of memory: a third of an order's time went into fetching what lay anywhere.
   */
  private int firstSlot(long resource) {
    int kind = (int) (resource & KINDS);
    int set = (int) (resource >> (KIND_BITS + NEIGHBOR_BITS)) + kind * SETS_BETWEEN_KINDS;
    return (set & setMask) * WAYS;
  }
}
