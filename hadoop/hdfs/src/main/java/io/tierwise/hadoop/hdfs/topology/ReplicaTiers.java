package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.TextNumber;
import io.tierwise.hadoop.hdfs.tiers.LinkTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import io.tierwise.hadoop.hdfs.tiers.VolumeTable;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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

  /** A power of two; a reader sees few. */
  private static final int SEEN_MIN = 64;

  /** Own: then seven of eight storages have a place alone. */
  private static final long PLACES_OF_STORAGE = 8;

  private final TierTable table;

  /** By UUID of a node; null where all links are as fast as they are said to be. */
  private volatile Map<String, Double> linkShares;

  private final TierMatcher matcher;
  private final LinkTable links;
  private final VolumeTable volumes;
  private final ConcurrentHashMap<String, Storage> storages = new ConcurrentHashMap<>();

  /**
   * Those of them that were asked for last, each at the place of its id: fewer lines of memory than
   * in the map, and a NameNode waits for each. Two that share a place take turns.
   */
  // Elements are written without a lock: at worst one is matched once more.
  private volatile Storage[] seen = new Storage[SEEN_MIN];

  /** The same by their numbers. */
  private final ConcurrentHashMap<Long, Storage> numbered = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<String, Integer> nodeKeys = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Rack> racks = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, ReaderLinks> readers = new ConcurrentHashMap<>();
  private final AtomicInteger nextRound = new AtomicInteger();
  private final AtomicInteger nextKey = new AtomicInteger();
  private final AtomicInteger nextNodeKey = new AtomicInteger();

  public ReplicaTiers(TierConfiguration tiers) {
    table = tiers.table();
    matcher = tiers.matcher();
    links = tiers.links();
    volumes = tiers.volumes();
  }

  /**
   * @param location the same string for all who ask
   * @param key equal for equal racks, within this process
   */
  private record Rack(String location, int key) {}

  /** One storage of a node, as it was seen last. */
  public static final class Storage {
    private final int key;
    private final String id;
    private final long number;
    private final int tier;
    private final double readBytesPerSecond;
    private final int nodeKey;
    private final int rackKey;
    private final String rackLocation;
    private final double linkBytesPerSecond;
    private final double uplinkBytesPerSecond;
    private final StorageType type;
    private final String networkLocation;
    private final String hostName;
    private final String address;
    private final String datanodeUuid;

    /** Hashes of the names: a question about another node need not fetch the names themselves. */
    private final int hostNameHash;

    private final int addressHash;
    private final int datanodeUuidHash;

    /** The last round in which it was found unchanged. */
    // Written without a lock: at worst a storage is compared once more.
    private int round;

    private Storage(int key, int tier, ReplicaTiers tiers, DatanodeInfoWithStorage replica) {
      this.key = key;
      this.tier = tier;
      id = replica.getStorageID();
      number = TextNumber.of(String.valueOf(id));
      type = replica.getStorageType();
      networkLocation = replica.getNetworkLocation();
      hostName = replica.getHostName();
      address = replica.getIpAddr();
      datanodeUuid = String.valueOf(replica.getDatanodeUuid());
      readBytesPerSecond = tiers.readBytesPerSecond(tier, id);
      hostNameHash = Objects.hashCode(hostName);
      addressHash = Objects.hashCode(address);
      datanodeUuidHash = datanodeUuid.hashCode();
      nodeKey = tiers.nodeKey(datanodeUuid);
      // One string for all of the rack's nodes, which each have a copy of their own.
      Rack rack = tiers.rack(networkLocation);
      rackKey = rack.key();
      rackLocation = rack.location();
      linkBytesPerSecond = tiers.links.nodeBytesPerSecond(networkLocation, hostName, address);
      uplinkBytesPerSecond = tiers.links.uplinkBytesPerSecond(networkLocation);
    }

    /** From 0, another one whenever the storage is seen with other properties. */
    public int key() {
      return key;
    }

    /** Made of its id: the same in every process, and another one for another storage. */
    public long number() {
      return number;
    }

    /** Index in the tier table, or {@link TierTable#NONE}. */
    public int tier() {
      return tier;
    }

    /** Its own, or else of its tier's device class; NaN when neither was measured. */
    double readBytesPerSecond() {
      return readBytesPerSecond;
    }

    /** Equal for the storages of one node, within this process. */
    int nodeKey() {
      return nodeKey;
    }

    /** Equal for equal racks, within this process. */
    int rackKey() {
      return rackKey;
    }

    /** Of its node; NaN when nobody said. */
    double linkBytesPerSecond() {
      return linkBytesPerSecond;
    }

    /** Of its node's rack; NaN when nobody said. */
    double uplinkBytesPerSecond() {
      return uplinkBytesPerSecond;
    }

    /** Null when unknown. */
    public String networkLocation() {
      return rackLocation;
    }

    public String hostName() {
      return hostName;
    }

    public String address() {
      return address;
    }

    public String datanodeUuid() {
      return datanodeUuid;
    }

    /** Whether that is its node. */
    boolean isOnNode(String uuid, int hash) {
      return hash == datanodeUuidHash && datanodeUuid.equals(uuid);
    }

    /** Whether its node has that host name or address. */
    boolean isOnHost(String name, int hash) {
      return (hash == hostNameHash && name.equals(hostName))
          || (hash == addressHash && name.equals(address));
    }

    private boolean describes(DatanodeInfoWithStorage replica) {
      return type == replica.getStorageType()
          && Objects.equals(networkLocation, replica.getNetworkLocation())
          && Objects.equals(hostName, replica.getHostName());
    }
  }

  /**
   * The resource that a reader's bytes pass last.
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
            rack(location).key(),
            location);
    readers.put(reader.getName(), found);
    return found;
  }

  /** From now on links of these nodes, by UUID, have only a share of their speed. */
  void linkShares(Map<String, Double> shares) {
    linkShares = shares.isEmpty() ? null : shares;
  }

  double linkShare(String datanodeUuid) {
    Map<String, Double> shares = linkShares;
    return shares == null ? 1 : shares.getOrDefault(datanodeUuid, 1.0);
  }

  public TierTable table() {
    return table;
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
    Storage known = known(id);
    if (known != null) {
      // A node can move to another rack, and a directory can be tagged anew.
      if (round != COMPARED_EACH_TIME && known.round == round) {
        return known;
      }
      if (known.describes(replica)) {
        if (round != COMPARED_EACH_TIME) {
          known.round = round;
        }
        return known;
      }
    } else if (storages.size() >= STORAGES_MAX) {
      storages.clear();
      numbered.clear();
      seen = new Storage[SEEN_MIN];
    }
    Storage matched = match(replica, id);
    matched.round = round;
    storages.put(id, matched);
    Storage[] places = seen;
    places[place(id, places)] = matched;
    numbered.put(matched.number, matched);
    return matched;
  }

  /** Null when it has not been seen. */
  private Storage known(String id) {
    Storage[] places = seen;
    int place = place(id, places);
    Storage known = places[place];
    if (known != null && id.equals(known.id)) {
      return known;
    }
    known = storages.get(id);
    if (known != null) {
      // Another one had its place, which is rare where there are many more places.
      if (places.length < PLACES_OF_STORAGE * storages.size()) {
        seen = new Storage[2 * places.length];
      } else {
        places[place] = known;
      }
    }
    return known;
  }

  private static int place(String id, Storage[] places) {
    int hash = id.hashCode();
    return (hash ^ hash >>> Short.SIZE) & (places.length - 1);
  }

  /** The storage of that {@link Storage#number}, or null if it has not been seen. */
  Storage numbered(long number) {
    return numbered.get(number);
  }

  private Storage match(DatanodeInfoWithStorage replica, String storageId) {
    TierMatch.Volume volume = TierMatch.Volume.of(replica.getStorageType(), replica, storageId);
    return new Storage(nextKey.getAndIncrement(), matcher.tierOf(volume), this, replica);
  }

  private double readBytesPerSecond(int tier, String storageId) {
    double own = volumes.readBytesPerSecond(storageId);
    if (!Double.isNaN(own)) {
      return own;
    }
    return tier == TierTable.NONE
        ? Double.NaN
        : table.tier(tier).deviceClass().readBytesPerSecond();
  }

  /** There are few racks, and racks that are gone cost little. */
  private Rack rack(String location) {
    if (racks.size() >= STORAGES_MAX) {
      racks.clear();
    }
    return once(
        racks, String.valueOf(location), name -> new Rack(location, nextKey.getAndIncrement()));
  }

  private int nodeKey(String datanodeUuid) {
    if (nodeKeys.size() >= STORAGES_MAX) {
      nodeKeys.clear();
    }
    return once(nodeKeys, datanodeUuid, uuid -> nextNodeKey.getAndIncrement());
  }

  /**
   * Like {@code computeIfAbsent}, whose other callers wait while a value is made: here each makes
   * one, and one of them stays. So keys are not dense.
   */
  private static <V> V once(
      ConcurrentHashMap<String, V> known, String name, Function<String, V> make) {
    V found = known.get(name);
    if (found != null) {
      return found;
    }
    V made = make.apply(name);
    V before = known.putIfAbsent(name, made);
    return before == null ? made : before;
  }
}
