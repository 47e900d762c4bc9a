package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * The tier of each storage that has been seen, so that patterns are matched once a storage and not
 * once a block. Safe for many threads.
 */
public final class ReplicaTiers {
  /** Beyond this many storages the memory is emptied: a bound, far above any real cluster. */
  private static final int STORAGES_MAX = 1 << 20;

  private final TierTable table;
  private final TierMatcher matcher;
  private final ConcurrentHashMap<String, Known> storages = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> nodeKeys = new ConcurrentHashMap<>();
  private final AtomicInteger nextRound = new AtomicInteger();
  private final AtomicInteger nextKey = new AtomicInteger();
  private final AtomicInteger nextNodeKey = new AtomicInteger();

  public ReplicaTiers(TierConfiguration tiers) {
    table = tiers.table();
    matcher = tiers.matcher();
  }

  /**
   * One storage of a node, as it was seen last.
   *
   * @param key from 0, another one whenever the storage is seen with other properties
   * @param tier index in the tier table, or {@link TierTable#NONE}
   * @param nodeKey equal for the storages of one node, within this process
   */
  public record Storage(
      int key,
      int tier,
      int nodeKey,
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
      if (known.round == round || known.storage.describes(replica)) {
        known.round = round;
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
    return new Storage(
        nextKey.getAndIncrement(),
        matcher.tierOf(volume),
        nodeKey(replica.getDatanodeUuid()),
        replica.getStorageType(),
        replica.getNetworkLocation(),
        replica.getHostName(),
        replica.getIpAddr(),
        String.valueOf(replica.getDatanodeUuid()));
  }

  private int nodeKey(String datanodeUuid) {
    if (nodeKeys.size() >= STORAGES_MAX) {
      nodeKeys.clear();
    }
    return nodeKeys.computeIfAbsent(
        String.valueOf(datanodeUuid), uuid -> nextNodeKey.getAndIncrement());
  }
}
