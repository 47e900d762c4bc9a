package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.NetworkDistance;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * Where the reading process stands: its host names and addresses, and its rack as far as known.
 *
 * <p>The rack of a client is told by the key {@code tierwise.client.location}, or learnt from a
 * replica on its own host; until then every other node counts as one of another rack.
 */
final class ReaderLocation {
  private final Set<String> names;
  private volatile String rack;

  private ReaderLocation(Set<String> names, String rack) {
    this.names = Set.copyOf(names);
    this.rack = rack;
  }

  /**
   * @throws IllegalArgumentException when the key's value is no location
   */
  static ReaderLocation of(Configuration conf) {
    String location = conf.getTrimmed(ClientKeys.LOCATION, "");
    return location.isEmpty() ? ofThisHost() : parse(location);
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

  private static ReaderLocation ofThisHost() {
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
    return new ReaderLocation(names, null);
  }

  /** Hops to the replica's node. */
  int distanceTo(DatanodeInfoWithStorage replica) {
    if (names.contains(replica.getHostName()) || names.contains(replica.getIpAddr())) {
      if (rack == null) {
        rack = replica.getNetworkLocation();
      }
      return NetworkDistance.LOCAL;
    }
    return NetworkDistance.betweenNodes(rack, replica.getNetworkLocation());
  }
}
