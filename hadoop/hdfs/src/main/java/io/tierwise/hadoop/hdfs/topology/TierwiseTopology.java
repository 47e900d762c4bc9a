package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.hadoop.hdfs.ClassTimes;
import io.tierwise.hadoop.hdfs.DecisionTimes;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders replicas on the NameNode, for clients that carry no plug-in; configured as {@code
 * dfs.net.topology.impl}. Off unless {@code tierwise.namenode.access.strategy} names a strategy.
 *
 * <p>The NameNode has sorted by distance before, so that is the order among equals; nodes out of
 * service and storage outside the cluster stay last. Neither the path nor the task is known here:
 * rules and attributes do not count, and a share of tasks becomes a share of draws.
 */
public class TierwiseTopology extends DFSNetworkTopology implements Configurable {
  public static final String STRATEGY = "tierwise.namenode.access.strategy";

  private static final Logger LOG = LoggerFactory.getLogger(TierwiseTopology.class);

  /** One line for each block that is listed, at TRACE. */
  private static final Logger DECISIONS = LoggerFactory.getLogger("tierwise.decisions.listing");

  /** Own: of more replicas a strategy may look at a part only. */
  private static final int ORDERED_ALONE_MAX = 16;

  /** Own: whoever opens a file waits for it; five sixths of a minute are left to the distance. */
  private static final DecisionTimes.Question ORDERING =
      new DecisionTimes.Question(
          "order a block's replicas",
          "they stay ordered by distance",
          TimeUnit.SECONDS.toNanos(10));

  private Configuration conf;
  private AccessPick pick;

  /** Null while no strategy orders. */
  private ClassTimes times;

  private ReplicaTiers tiers;
  private long blockBytes;

  /** Where each block is a draw of its own, the second one is not told what the first was. */
  private boolean repeats;

  /** Then the strategy needs no order by distance before its own. */
  private boolean weighsDistance;

  /** Null where readers are not asked how fast they read. */
  private ReportedReads reports;

  private final DoubleAdder countedReads = new DoubleAdder();
  private final ThreadLocal<CallAnswers> answers =
      ThreadLocal.withInitial(() -> new CallAnswers(tiers, countedReads));
  private final LongAdder orderedBlocks = new LongAdder();
  private final LongAdder looks = new LongAdder();
  private final LongAdder leftOut = new LongAdder();
  private final OnceLog failures =
      new OnceLog("access strategy failed on the NameNode, the order by distance is used");

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    if (conf == null) {
      return;
    }
    String spec = conf.getTrimmed(STRATEGY, "");
    if (spec.isEmpty()) {
      return;
    }
    try {
      AccessSession session = session(spec);
      if (session.state().isPresent()) {
        throw new IllegalArgumentException("learns from reads, which the NameNode does not see");
      }
      TierConfiguration table = TierConfiguration.load(conf);
      tiers = new ReplicaTiers(table);
      // The file does not matter: this session picks one strategy for all, which may count.
      AccessPick picked = session.pick(0);
      repeats = picked.strategy().isForTheMoment();
      weighsDistance = picked.strategy().weighsDistance();
      reports = picked.strategy().asksForReports() ? new ReportedReads(tiers) : null;
      blockBytes = blockBytes(conf);
      times = new DecisionTimes(ORDERING).of(picked.strategy().getClass());
      TopologyMetrics.register(this, table);
      pick = picked;
    } catch (Throwable e) {
      // A strategy of another jar fails in any way; the message of an error is often a class's
      // name.
      String problem = e instanceof Exception ? e.getMessage() : e.toString();
      LOG.error("{} is \"{}\": {}; replicas stay ordered by distance", STRATEGY, spec, problem);
    }
  }

  /** The session that orders all replicas. */
  AccessSession session(String spec) {
    return AccessSession.of(AccessStrategies.parse(spec));
  }

  /** The usual length of a block: the NameNode sorts without saying which block it is. */
  private static long blockBytes(Configuration conf) {
    return conf.getLongBytes(
        DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public <T extends Node> void sortByDistance(
      Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
    boolean alone = ordersAlone(nodes, activeLen);
    if (!alone || !order(reader, nodes, activeLen)) {
      super.sortByDistance(reader, nodes, activeLen, secondarySort);
    }
    if (!alone) {
      order(reader, nodes, activeLen);
    }
  }

  @Override
  public <T extends Node> void sortByDistanceUsingNetworkLocation(
      Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
    boolean alone = ordersAlone(nodes, activeLen);
    if (!alone || !order(reader, nodes, activeLen)) {
      super.sortByDistanceUsingNetworkLocation(reader, nodes, activeLen, secondarySort);
    }
    if (!alone) {
      order(reader, nodes, activeLen);
    }
  }

  /**
   * Whether an order by distance before ours would be for nothing. Not so with storage outside the
   * cluster, which stays in that order, and with more replicas than a strategy looks at.
   */
  private boolean ordersAlone(Node[] nodes, int listed) {
    if (pick == null || !weighsDistance || listed > ORDERED_ALONE_MAX) {
      return false;
    }
    if (!(nodes instanceof DatanodeInfoWithStorage[] replicas)) {
      return false;
    }
    for (int i = 0; i < listed; i++) {
      if (replicas[i].getStorageType() == StorageType.PROVIDED) {
        return false;
      }
    }
    return true;
  }

  /**
   * Puts the replicas into the strategy's order.
   *
   * @return false after an error, and where the strategy is too slow
   */
  private boolean order(Node reader, Node[] nodes, int listed) {
    if (pick == null || !(nodes instanceof DatanodeInfoWithStorage[] replicas)) {
      return true;
    }
    try {
      int active = providedLast(replicas, listed);
      if (active == 0 && listed > 0) {
        return true;
      }
      CallAnswers told = answers.get();
      boolean isFirst = told.begin();
      // Told again is what was decided: no strategy is asked, and none is to be watched.
      boolean isTold = !isFirst && repeats && told.repeat(replicas, active);
      if (!isTold && !ask(reader, told, isFirst, replicas, active)) {
        return false;
      }
      orderedBlocks.increment();
      if (DECISIONS.isTraceEnabled()) {
        DECISIONS.trace("{} replicas are listed for {}", active, reader);
      }
      return true;
    } catch (Throwable e) {
      failures.failed(pick.strategy().getClass().getName(), e);
      return false;
    }
  }

  /**
   * @return false where the strategy is too slow
   */
  private boolean ask(
      Node reader,
      CallAnswers told,
      boolean isFirst,
      DatanodeInfoWithStorage[] replicas,
      int active) {
    int began = times.tryBegin();
    if (began == ClassTimes.SET_ASIDE) {
      leftOut.increment();
      return false;
    }
    try {
      if (isFirst && reports != null) {
        hear(reader, told);
      }
      decide(reader, told, replicas, active);
      return true;
    } finally {
      times.end(began);
    }
  }

  private void hear(Node reader, CallAnswers told) {
    String text = ReportedReads.told();
    // Most calls tell nothing, and naming the reader costs time.
    if (text != null) {
      reports.hear(pick.strategy(), named(reader, told), text, told.queuedMillis());
    }
  }

  private void decide(
      Node reader, CallAnswers told, DatanodeInfoWithStorage[] replicas, int active) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    AccessRequest request = new AccessRequest(random.nextLong(), 0, blockBytes, -1);
    if (weighsDistance && active > 1) {
      // Among equals, none may come first just because the NameNode lists it first.
      int at = random.nextInt(active);
      DatanodeInfoWithStorage first = replicas[0];
      replicas[0] = replicas[at];
      replicas[at] = first;
    }
    CallAnswers.Answer answer = told.next();
    answer
        .sorter()
        .sort(distances(reader), named(reader, told), pick, request, replicas, active, random);
    told.sorted(pick, request, answer);
  }

  private ReadPath.Reader named(Node reader, CallAnswers told) {
    // Nobody could tell the rack of a reader that is null; its link is its own all the same.
    String name = reader == null ? Server.getRemoteAddress() : reader.getName();
    return new ReadPath.Reader(Objects.hashCode(name), told.nowMillis(), tiers.linksOf(reader));
  }

  /**
   * Puts storage outside the cluster behind the replicas, as HDFS does a moment later, and leaves
   * it in the order of distance: all nodes that lead to it show one and the same storage.
   *
   * @return how many replicas are left to be ordered
   */
  private static int providedLast(DatanodeInfoWithStorage[] replicas, int count) {
    int inside = 0;
    while (inside < count && replicas[inside].getStorageType() != StorageType.PROVIDED) {
      inside++;
    }
    for (int i = inside + 1; i < count; i++) {
      if (replicas[i].getStorageType() != StorageType.PROVIDED) {
        DatanodeInfoWithStorage replica = replicas[i];
        System.arraycopy(replicas, inside, replicas, inside + 1, i - inside);
        replicas[inside++] = replica;
      }
    }
    return inside;
  }

  /** The reader is a DataNode, or stands for a host: then its name is that of the host. */
  private static ToIntFunction<ReplicaTiers.Storage> distances(Node reader) {
    if (reader == null) {
      return storage -> NetworkDistance.UNKNOWN;
    }
    String rack = reader.getNetworkLocation();
    if (reader instanceof DatanodeInfo node) {
      String uuid = node.getDatanodeUuid();
      int hash = Objects.hashCode(uuid);
      return storage ->
          storage.isOnNode(uuid, hash)
              ? NetworkDistance.LOCAL
              : NetworkDistance.betweenNodes(rack, storage.networkLocation());
    }
    String host = reader.getName();
    int hash = host.hashCode();
    return storage ->
        storage.isOnHost(host, hash)
            ? NetworkDistance.LOCAL
            : NetworkDistance.betweenNodes(rack, storage.networkLocation());
  }

  /**
   * The call that the calling thread handles, and has answered, asked where blocks are. Does not
   * fail: the answer stands.
   */
  public void onlyLooked() {
    if (pick == null) {
      return;
    }
    try {
      answers.get().takeBack(pick);
      looks.increment();
    } catch (Throwable e) {
      failures.failed(pick.strategy().getClass().getName(), e);
    }
  }

  /**
   * Links of these nodes, by UUID, were seen slower than they are said to be.
   *
   * @param shares of their speed, more than 0 and at most 1
   */
  public void seenSlow(Map<String, Double> shares) {
    if (tiers != null) {
      tiers.linkShares(shares);
    }
  }

  /** The share that is left of the speed of a node's link. */
  double linkShare(String datanodeUuid) {
    return tiers.linkShare(datanodeUuid);
  }

  /** The strategy in force, or null when the order is by distance. */
  public AccessStrategy strategy() {
    return pick == null ? null : pick.strategy();
  }

  public long orderedBlockCount() {
    return orderedBlocks.sum();
  }

  /** Calls that read nothing, as far as they could be told apart. */
  public long lookCount() {
    return looks.sum();
  }

  /** Reads that are expected of the answers; a later block of one answer is a part of one. */
  public double countedReads() {
    return countedReads.sum();
  }

  /** Reads that readers told of, of storages that are known. */
  public long reportedReadCount() {
    return reports == null ? 0 : reports.heardCount();
  }

  /** Blocks left in order of distance because the strategy is too slow. */
  public long leftOutCount() {
    return leftOut.sum();
  }

  /** Blocks that the strategy took more than 50 ms to order. */
  public long slowCount() {
    return times.slowCount();
  }

  /** Tells of an order that hangs, also when nobody opens a file. */
  public void lookAtOrders() {
    if (times != null) {
      times.mayDecide();
    }
  }

  /** Time that the strategy took. */
  public double orderSeconds() {
    return times.seconds();
  }

  public long failureCount() {
    return failures.failureCount();
  }
}
