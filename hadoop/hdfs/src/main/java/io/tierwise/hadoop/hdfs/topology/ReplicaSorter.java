package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * Puts the replicas of one block after the other into a strategy's order. Keeps its arrays between
 * blocks: for one thread, one reader and one answer of the NameNode.
 */
public final class ReplicaSorter implements ReadView {
  private final ReplicaTiers tiers;

  /** Tells what a key of a path stands for: its lowest bits. */
  private static final int KEY_BITS = 2;

  private static final int DEVICE = 0;
  private static final int LINK_OF_NODE = 1;
  private static final int LINK_OF_READER = 2;
  private static final int STEPS_REMOTE = 3;

  private ToIntFunction<ReplicaTiers.Storage> distances;
  private Reader reader;
  private int round;
  private int count;
  private DatanodeInfoWithStorage[] shown;
  private int[] tier = new int[8];
  private int[] distance = new int[8];
  private int[] nodeKey = new int[8];
  private int[] storageKey = new int[8];
  private int[] order = new int[8];

  /** The number of the latest check in which the replica was met. */
  private int[] checked = new int[8];

  private int check;
  private DatanodeInfoWithStorage[] before = new DatanodeInfoWithStorage[8];

  /**
   * @param distances hops between the reader and a storage's node
   */
  public ReplicaSorter(ReplicaTiers tiers, ToIntFunction<ReplicaTiers.Storage> distances) {
    this(tiers, distances, null);
  }

  /**
   * A sorter for a process that reads itself, and so need not tell readers apart.
   *
   * @param nowMillis monotonic time
   */
  public static ReplicaSorter ofReader(
      ReplicaTiers tiers, ToIntFunction<ReplicaTiers.Storage> distances, long nowMillis) {
    return new ReplicaSorter(tiers, distances, new Reader(0, nowMillis));
  }

  /**
   * Who reads, for a host that counts what passes devices and links.
   *
   * @param key equal for equal machines
   * @param nowMillis monotonic time
   */
  record Reader(int key, long nowMillis) {}

  /**
   * @param reader null where nothing is counted
   */
  ReplicaSorter(ReplicaTiers tiers, ToIntFunction<ReplicaTiers.Storage> distances, Reader reader) {
    this.tiers = tiers;
    begin(distances, reader);
  }

  /** The same arrays for another reader and another answer. */
  private void begin(ToIntFunction<ReplicaTiers.Storage> distances, Reader reader) {
    this.distances = distances;
    this.reader = reader;
    this.round = tiers.newRound();
  }

  /** Of a host whose readers come one after the other. */
  ReplicaSorter(ReplicaTiers tiers) {
    this.tiers = tiers;
  }

  /** {@link #sort}, for a reader that is another one each time. */
  void sort(
      ToIntFunction<ReplicaTiers.Storage> distancesOfReader,
      Reader by,
      AccessPick pick,
      AccessRequest request,
      DatanodeInfoWithStorage[] replicas,
      int active,
      RandomGenerator random) {
    begin(distancesOfReader, by);
    sort(pick, request, replicas, active, random);
  }

  /**
   * Re-orders {@code replicas[0 .. active)} in place; the rest keeps its position.
   *
   * @return why the first one is first
   * @throws IllegalStateException when the strategy's answer is no permutation; nothing was moved
   */
  public AccessReason sort(
      AccessPick pick,
      AccessRequest request,
      DatanodeInfoWithStorage[] replicas,
      int active,
      RandomGenerator random) {
    show(replicas, active);
    AccessReason reason = pick.order(request, this, random, order);
    requirePermutation(pick);
    System.arraycopy(replicas, 0, before, 0, active);
    for (int i = 0; i < active; i++) {
      replicas[i] = before[order[i]];
    }
    return reason;
  }

  /** A reader was told the order of the last sort; {@code share} of the block will be read. */
  void answered(AccessPick pick, AccessRequest request, double share) {
    if (count > 0) {
      pick.strategy().answered(request, this, order[0], share);
    }
  }

  /** Shows these replicas in the view without ordering them. */
  public void show(DatanodeInfoWithStorage[] replicas, int active) {
    if (active > order.length) {
      grow(active);
    }
    count = active;
    shown = replicas;
    for (int i = 0; i < active; i++) {
      ReplicaTiers.Storage storage = tiers.of(replicas[i], round);
      tier[i] = storage.tier();
      nodeKey[i] = storage.nodeKey();
      storageKey[i] = storage.key();
      distance[i] = distances.applyAsInt(storage);
      order[i] = -1;
    }
  }

  private void grow(int length) {
    tier = new int[length];
    distance = new int[length];
    nodeKey = new int[length];
    storageKey = new int[length];
    order = new int[length];
    checked = new int[length];
    before = new DatanodeInfoWithStorage[length];
  }

  private void requirePermutation(AccessPick pick) {
    check++;
    for (int i = 0; i < count; i++) {
      boolean valid = order[i] >= 0 && order[i] < count && checked[order[i]] != check;
      if (valid) {
        checked[order[i]] = check;
      } else {
        throw new IllegalStateException(
            pick.strategy().name() + " gave no permutation of " + count + " replicas");
      }
    }
  }

  @Override
  public TierTable tiers() {
    return tiers.table();
  }

  @Override
  public int replicaCount() {
    return count;
  }

  @Override
  public int tier(int replica) {
    return tier[replica];
  }

  @Override
  public int distance(int replica) {
    return distance[replica];
  }

  @Override
  public int activeTransfers(int replica) {
    return shown[replica].getXceiverCount();
  }

  @Override
  public int nodeKey(int replica) {
    return nodeKey[replica];
  }

  /** The whole node's capacity: HDFS does not tell a reader the volume's. */
  @Override
  public long capacityBytes(int replica) {
    return shown[replica].getCapacity();
  }

  /** Device, link of its node, link of the reader: uplinks of racks are not known to HDFS. */
  @Override
  public int pathLength(int replica) {
    if (reader == null) {
      return 0;
    }
    return distance[replica] == NetworkDistance.LOCAL ? 1 : STEPS_REMOTE;
  }

  @Override
  public long pathKey(int replica, int step) {
    long key =
        switch (step) {
          case DEVICE -> storageKey[replica];
          case LINK_OF_NODE -> nodeKey[replica];
          case LINK_OF_READER -> reader.key();
          default -> throw new IndexOutOfBoundsException(step);
        };
    return key << KEY_BITS | step;
  }

  /** Of a device as its tier was measured; HDFS does not know the speed of a link. */
  @Override
  public double pathBytesPerSecond(int replica, int step) {
    int at = tier[replica];
    return step == DEVICE && at >= 0 && at < tiers().count()
        ? tiers().tier(at).deviceClass().readBytesPerSecond()
        : Double.NaN;
  }

  @Override
  public long nowMillis() {
    return reader == null ? 0 : reader.nowMillis();
  }
}
