package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AnswerCounts;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * Puts the replicas of one block after the other into a strategy's order. Keeps its arrays between
 * blocks: for one thread, one reader and one answer of the NameNode.
 */
public final class ReplicaSorter implements ReadView {
  private final ReplicaTiers tiers;

  private ToIntFunction<ReplicaTiers.Storage> distances;

  /** Null where nothing is counted. */
  private ReadPath.Reader reader;

  private int round;
  private int count;
  private DatanodeInfoWithStorage[] shown;
  private ReplicaTiers.Storage[] storages = new ReplicaTiers.Storage[8];

  private int[] distance = new int[8];

  private int[] order = new int[8];

  /** By replica the number of the round that marked it last, so that marks need not be cleared. */
  private int[] marks = new int[8];

  private int markingRound;

  /** Of the last sort's answer. */
  private final AnswerCounts counts = new AnswerCounts();

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
    return new ReplicaSorter(tiers, distances, new ReadPath.Reader(0, nowMillis));
  }

  /**
   * @param reader null where nothing is counted
   */
  ReplicaSorter(
      ReplicaTiers tiers, ToIntFunction<ReplicaTiers.Storage> distances, ReadPath.Reader reader) {
    this.tiers = tiers;
    this.distances = distances;
    this.reader = reader;
    this.round = tiers.newRound();
  }

  /** A sorter for a host whose readers come one after the other. */
  ReplicaSorter(ReplicaTiers tiers) {
    this.tiers = tiers;
    this.round = ReplicaTiers.COMPARED_EACH_TIME;
  }

  /** {@link #sort}, for a reader that is another one each time. */
  void sort(
      ToIntFunction<ReplicaTiers.Storage> distancesOfReader,
      ReadPath.Reader by,
      AccessPick pick,
      AccessRequest request,
      DatanodeInfoWithStorage[] replicas,
      int active,
      RandomGenerator random) {
    this.distances = distancesOfReader;
    this.reader = by;
    sort(pick, request, replicas, active, random);
  }

  /**
   * Puts replicas on the storages of the last sort into its order.
   *
   * @return false when they are on others; some of them may have changed places
   */
  boolean repeat(DatanodeInfoWithStorage[] replicas, int active) {
    if (active != count) {
      return false;
    }
    for (int place = 0; place < active; place++) {
      int at = place;
      while (at < active
          && !Objects.equals(replicas[at].getStorageID(), shown[place].getStorageID())) {
        at++;
      }
      if (at == active) {
        return false;
      }
      DatanodeInfoWithStorage replica = replicas[at];
      replicas[at] = replicas[place];
      replicas[place] = replica;
    }
    return true;
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
    move(replicas);
    return reason;
  }

  /** A reader was told the order of the last sort; {@code share} of the block will be read. */
  void answered(AccessPick pick, AccessRequest request, double share) {
    if (count > 0) {
      pick.strategy().answered(request, this, order[0], share, counts);
    }
  }

  /** Takes the answer back: nothing of the block will be read. */
  void takenBack(AccessPick pick) {
    pick.strategy().takenBack(counts);
  }

  /** Shows these replicas in the view without ordering them. */
  public void show(DatanodeInfoWithStorage[] replicas, int active) {
    if (active > order.length) {
      grow(active);
    }
    count = active;
    shown = replicas;
    counts.clear();
    for (int i = 0; i < active; i++) {
      ReplicaTiers.Storage storage = tiers.of(replicas[i], round);
      storages[i] = storage;
      distance[i] = distances.applyAsInt(storage);
      order[i] = -1;
    }
  }

  private void grow(int length) {
    storages = new ReplicaTiers.Storage[length];
    distance = new int[length];
    order = new int[length];
    marks = new int[length];
  }

  /** Cycle by cycle: a copy of the replicas would be kept beyond the call they are made for. */
  private void move(DatanodeInfoWithStorage[] replicas) {
    markingRound++;
    for (int begin = 0; begin < count; begin++) {
      if (order[begin] == begin || !mark(begin)) {
        continue;
      }
      DatanodeInfoWithStorage first = replicas[begin];
      int place = begin;
      while (order[place] != begin) {
        replicas[place] = replicas[order[place]];
        place = order[place];
        mark(place);
      }
      replicas[place] = first;
    }
  }

  /** False when it was marked before in this round. */
  private boolean mark(int replica) {
    boolean isNew = marks[replica] != markingRound;
    marks[replica] = markingRound;
    return isNew;
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
    return storages[replica].tier();
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
    return storages[replica].nodeKey();
  }

  /** The whole node's capacity: HDFS does not tell a reader the volume's. */
  @Override
  public long capacityBytes(int replica) {
    return shown[replica].getCapacity();
  }

  @Override
  public int pathLength(int replica) {
    return reader == null ? 0 : ReadPath.length(storages[replica], isNear(replica), reader);
  }

  private boolean isNear(int replica) {
    return distance[replica] == NetworkDistance.LOCAL;
  }

  @Override
  public long pathKey(int replica, int step) {
    return ReadPath.key(storages[replica], isNear(replica), reader, step);
  }

  @Override
  public double pathBytesPerSecond(int replica, int step) {
    return ReadPath.bytesPerSecond(storages[replica], isNear(replica), reader, step);
  }

  @Override
  public double shareOfSpeed(int replica, int step) {
    return ReadPath.isLinkOfNode(step) ? tiers.linkShare(storages[replica].datanodeUuid()) : 1;
  }

  @Override
  public long nowMillis() {
    return reader == null ? 0 : reader.nowMillis();
  }
}
