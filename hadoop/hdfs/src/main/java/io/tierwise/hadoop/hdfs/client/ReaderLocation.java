package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.NetworkDistance;
import io.tierwise.hadoop.hdfs.topology.ReplicaTiers.Storage;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Where the reading process stands: its host names and addresses, and its rack as far as known.
 *
 * <p>The rack of a client is told by the key {@code tierwise.client.location}, or by its topology
 * script where Hadoop's clients ask that, or learnt from a replica on its own host; until then
 * every other node counts as one of another rack. A host without a DataNode learns it never.
 */
final class ReaderLocation {
  private static final int UNSEEN = -1;
  private static final int STORAGES_MAX = 1 << 20;

  private final Set<String> names;
  private volatile String rack;

  /** Hops by the storage's key. */
  private volatile int[] knownDistances = new int[0];

  private ReaderLocation(Set<String> names, String rack) {
    this.names = Set.copyOf(names);
    this.rack = rack;
  }

  /**
   * @throws IllegalArgumentException when the key's value is no location
   */
  static ReaderLocation of(Configuration conf) {
    String location = conf.getTrimmed(ClientKeys.LOCATION, "");
    return location.isEmpty() ? ofThisHost(mappedRack(conf)) : parse(location);
  }

  /**
   * The rack that the client's own topology script names for this host; null where Hadoop's clients
   * do not ask it either, and where it does not know.
   *
   * <p>Source: Apache Hadoop 3.5.0, {@code ClientContext.initTopologyResolution}.
   */
  private static String mappedRack(Configuration conf) {
    if (!conf.getBoolean(
        CommonConfigurationKeys.FS_CLIENT_TOPOLOGY_RESOLUTION_ENABLED,
        CommonConfigurationKeys.FS_CLIENT_TOPOLOGY_RESOLUTION_ENABLED_DEFAULT)) {
      return null;
    }
    DNSToSwitchMapping mapping =
        ReflectionUtils.newInstance(
            conf.getClass(
                CommonConfigurationKeys.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
                ScriptBasedMapping.class,
                DNSToSwitchMapping.class),
            conf);
    List<String> racks = mapping.resolve(List.of(NetUtils.getLocalHostname()));
    boolean known =
        racks != null && !racks.isEmpty() && !racks.get(0).equals(NetworkTopology.DEFAULT_RACK);
    return known ? racks.get(0) : null;
  }

  private static ReaderLocation parse(String location) {
    int slash = location.lastIndexOf('/');
    if (!location.startsWith("/") || slash < 1 || slash + 1 == location.length()) {
      throw new IllegalArgumentException(
          ClientKeys.LOCATION
              + " is \""
              + location
              + "\": must be a rack and a host: /rack1/host1");
    }
    return new ReaderLocation(Set.of(location.substring(slash + 1)), location.substring(0, slash));
  }

  private static ReaderLocation ofThisHost(String rack) {
    Set<String> names = new HashSet<>();
    try {
      InetAddress host = InetAddress.getLocalHost();
      names.add(host.getHostName());
      names.add(host.getCanonicalHostName());
    } catch (UnknownHostException e) {
      // A host without a name is known by its addresses alone.
    }
    try {
      for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(card.getInetAddresses())) {
          names.add(address.getHostAddress());
        }
      }
    } catch (SocketException e) {
      // Then no replica counts as local, and the others' distances still hold.
    }
    return new ReaderLocation(names, rack);
  }

  /** Whether the rack is known by now; else distances to other hosts are taken for granted. */
  boolean knowsRack() {
    return rack != null;
  }

  /** Hops to the storage's node. */
  int distanceTo(Storage storage) {
    int[] seen = knownDistances;
    int known = storage.key() < seen.length ? seen[storage.key()] : UNSEEN;
    return known == UNSEEN ? learn(storage) : known;
  }

  private synchronized int learn(Storage storage) {
    boolean local = names.contains(storage.hostName()) || names.contains(storage.address());
    if (local && rack == null) {
      rack = storage.networkLocation();
      // A rack that was counted as another one may be the reader's own.
      knownDistances = new int[0];
    }
    int distance =
        local
            ? NetworkDistance.LOCAL
            : NetworkDistance.betweenNodes(rack, storage.networkLocation());
    if (storage.key() < STORAGES_MAX) {
      int[] distances = knownDistances;
      if (storage.key() >= distances.length) {
        distances = new int[Math.max(64, Integer.highestOneBit(storage.key()) * 2)];
        Arrays.fill(distances, UNSEEN);
        System.arraycopy(knownDistances, 0, distances, 0, knownDistances.length);
      }
      distances[storage.key()] = distance;
      knownDistances = distances;
    }
    return distance;
  }
}
