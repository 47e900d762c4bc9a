package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.LinkTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.Node;

/**
 * The tier of each storage that has been seen, so that patterns are matched once a storage and not
 * once a block. Safe for many threads.
 */
public final class ReplicaTiers {
  /** Beyond this many storages the memory is emptied: a bound, far above any real cluster. */
  private static final int STORAGES_MAX = 1 << 20;

  private final TierTable table;

  /** By UUID of a node. */
  private volatile Map<String, Double> linkShares = Map.of();

  private final TierMatcher matcher;
  private final LinkTable links;
  private final ConcurrentHashMap<String, Known> storages = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> nodeKeys = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> rackKeys = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, ReaderLinks> readers = new ConcurrentHashMap<>();
  private final AtomicInteger nextRound = new AtomicInteger();
  private final AtomicInteger nextKey = new AtomicInteger();
  private final AtomicInteger nextNodeKey = new AtomicInteger();

  public ReplicaTiers(TierConfiguration tiers) {
    table = tiers.table();
    matcher = tiers.matcher();
    links = tiers.links();
  }

  /**
   * One storage of a node, as it was seen last.
   *
   * @param key from 0, another one whenever the storage is seen with other properties
   * @param tier index in the tier table, or {@link TierTable#NONE}
   * @param readBytesPerSecond of its tier's device class; NaN when that was not measured
   * @param nodeKey equal for the storages of one node, within this process
   * @param linkBytesPerSecond of its node; NaN when nobody said
   * @param uplinkBytesPerSecond of its node's rack; NaN when nobody said
   * @param rackKey equal for equal racks, within this process
   */
  public record Storage(
      int key,
      int tier,
      double readBytesPerSecond,
      int nodeKey,
      double linkBytesPerSecond,
      double uplinkBytesPerSecond,
      int rackKey,
      StorageType type,
      String networkLocation,
      String hostName,
      String address,
      String datanodeUuid) {
    private boolean describes(DatanodeInfoWithStorage replica) {
      return type == replica.getStorageType()
          && Objects.equals(networkLocation, replica.getNetworkLocation())
          && Objects.equals(hostName, replica.getHostName());
    }
  }

  /**
   * What a reader's bytes pass last.
   *
   * @param linkBytesPerSecond of its host; NaN when nobody said
   * @param uplinkBytesPerSecond of its rack; NaN when nobody said
   * @param rackKey equal for equal racks, within this process
   * @param location its rack when this was looked up; null when nothing is known
   */
  record ReaderLinks(
      double linkBytesPerSecond, double uplinkBytesPerSecond, int rackKey, String location) {
    static final ReaderLinks UNKNOWN = new ReaderLinks(Double.NaN, Double.NaN, -1, null);

    boolean areKnown() {
      return location != null;
    }
  }

  /** The links of a reader; a DataNode, or what stands for a host and has its name. */
  ReaderLinks linksOf(Node reader) {
    if (reader == null || links.isEmpty()) {
      return ReaderLinks.UNKNOWN;
    }
    ReaderLinks known = readers.get(reader.getName());
    String location = reader.getNetworkLocation();
    if (known != null && Objects.equals(known.location(), location)) {
      return known;
    }
    if (readers.size() >= STORAGES_MAX) {
      readers.clear();
    }
    DatanodeInfo node = reader instanceof DatanodeInfo info ? info : null;
    ReaderLinks found =
        new ReaderLinks(
            links.nodeBytesPerSecond(
                location,
                node == null ? reader.getName() : node.getHostName(),
                node == null ? reader.getName() : node.getIpAddr()),
            links.uplinkBytesPerSecond(location),
            rackKey(location),
            location);
    readers.put(reader.getName(), found);
    return found;
  }

  /** From now on links of these nodes, by UUID, have only a share of their speed. */
  void linkShares(Map<String, Double> shares) {
    linkShares = shares;
  }

  double linkShare(String datanodeUuid) {
    Map<String, Double> shares = linkShares;
    return shares.isEmpty() ? 1 : shares.getOrDefault(datanodeUuid, 1.0);
  }

  public TierTable table() {
    return table;
  }

  /** A storage, and the last round in which it was found unchanged. */
  private static final class Known {
    final Storage storage;
    // Written without a lock: at worst a storage is compared once more.
    int round;

    Known(Storage storage, int round) {
      this.storage = storage;
      this.round = round;
    }
  }

  /**
   * The round of a host that holds what describes a node in one place: comparing costs nothing
   * there, and many threads do not write into what all of them read.
   */
  static final int COMPARED_EACH_TIME = 0;

  /** A number for the answers of one moment: a storage is compared once a round. */
  int newRound() {
    return nextRound.incrementAndGet();
  }

  /** The storage that holds the replica. */
  public Storage of(DatanodeInfoWithStorage replica) {
    return of(replica, newRound());
  }

  Storage of(DatanodeInfoWithStorage replica, int round) {
    String id = replica.getStorageID();
    if (id == null) {
      return match(replica, null);
    }
    Known known = storages.get(id);
    if (known != null) {
      // A node can move to another rack, and a directory can be tagged anew.
      if (round != COMPARED_EACH_TIME && known.round == round) {
        return known.storage;
      }
      if (known.storage.describes(replica)) {
        if (round != COMPARED_EACH_TIME) {
          known.round = round;
        }
        return known.storage;
      }
    } else if (storages.size() >= STORAGES_MAX) {
      storages.clear();
    }
    Storage matched = match(replica, id);
    storages.put(id, new Known(matched, round));
    return matched;
  }

  private Storage match(DatanodeInfoWithStorage replica, String storageId) {
    TierMatch.Volume volume =
        new TierMatch.Volume(
            replica.getStorageType(),
            replica.getNetworkLocation(),
            replica.getHostName(),
            replica.getIpAddr(),
            storageId);
    int tier = matcher.tierOf(volume);
    return new Storage(
        nextKey.getAndIncrement(),
        tier,
        tier == TierTable.NONE ? Double.NaN : table.tier(tier).deviceClass().readBytesPerSecond(),
        nodeKey(replica.getDatanodeUuid()),
        links.nodeBytesPerSecond(
            replica.getNetworkLocation(), replica.getHostName(), replica.getIpAddr()),
        links.uplinkBytesPerSecond(replica.getNetworkLocation()),
        rackKey(replica.getNetworkLocation()),
        replica.getStorageType(),
        replica.getNetworkLocation(),
        replica.getHostName(),
        replica.getIpAddr(),
        String.valueOf(replica.getDatanodeUuid()));
  }

  /** Racks are few, and those that are gone cost little. */
  private int rackKey(String location) {
    if (rackKeys.size() >= STORAGES_MAX) {
      rackKeys.clear();
    }
    return rackKeys.computeIfAbsent(String.valueOf(location), rack -> nextKey.getAndIncrement());
  }

  private int nodeKey(String datanodeUuid) {
    if (nodeKeys.size() >= STORAGES_MAX) {
      nodeKeys.clear();
    }
    return nodeKeys.computeIfAbsent(
        String.valueOf(datanodeUuid), uuid -> nextNodeKey.getAndIncrement());
  }
}
