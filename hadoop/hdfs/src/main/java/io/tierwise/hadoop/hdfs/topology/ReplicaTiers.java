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
  private final ConcurrentHashMap<String, Storage> storages = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> nodeKeys = new ConcurrentHashMap<>();
  private final AtomicInteger nextNodeKey = new AtomicInteger();

  public ReplicaTiers(TierConfiguration tiers) {
    table = tiers.table();
    matcher = tiers.matcher();
  }

  /**
   * One storage of a node.
   *
   * @param tier index in the tier table, or {@link TierTable#NONE}
   * @param nodeKey equal for the storages of one node, within this process
   */
  public record Storage(
      int tier, int nodeKey, StorageType type, String networkLocation, String hostName) {
    private boolean describes(DatanodeInfoWithStorage replica) {
      return type == replica.getStorageType()
          && Objects.equals(networkLocation, replica.getNetworkLocation())
          && Objects.equals(hostName, replica.getHostName());
    }
  }

  public TierTable table() {
    return table;
  }

  /** The storage that holds the replica. */
  public Storage of(DatanodeInfoWithStorage replica) {
    String id = replica.getStorageID();
    if (id == null) {
      return match(replica, null);
    }
    Storage known = storages.get(id);
    // A node can move to another rack, and a directory can be tagged anew.
    if (known != null && known.describes(replica)) {
      return known;
    }
    if (storages.size() >= STORAGES_MAX) {
      storages.clear();
    }
    Storage matched = match(replica, id);
    storages.put(id, matched);
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
        matcher.tierOf(volume),
        nodeKey(replica.getDatanodeUuid()),
        replica.getStorageType(),
        replica.getNetworkLocation(),
        replica.getHostName());
  }

  private int nodeKey(String datanodeUuid) {
    if (nodeKeys.size() >= STORAGES_MAX) {
      nodeKeys.clear();
    }
    return nodeKeys.computeIfAbsent(
        String.valueOf(datanodeUuid), uuid -> nextNodeKey.getAndIncrement());
  }
}
