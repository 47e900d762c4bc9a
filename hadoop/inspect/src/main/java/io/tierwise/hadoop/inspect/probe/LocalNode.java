package io.tierwise.hadoop.inspect.probe;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.net.DNS;

/**
 * This machine under the name and address by which a NameNode knows its DataNode, for tiers that
 * are matched by them.
 *
 * @param hostName {@code dfs.datanode.hostname}, else the full name, as DataNodes register
 * @param address from which NameNodes are reached; null when that cannot be told
 */
record LocalNode(String hostName, String address) {
  static LocalNode of(Configuration conf) throws IOException {
    String named = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, "");
    String hostName = named.isEmpty() ? fullName(conf) : named;
    return new LocalNode(hostName, address(conf, hostName));
  }

  /** As a DataNode finds its name, whose own method for it is private. */
  private static String fullName(Configuration conf) throws IOException {
    String device = conf.get(CommonConfigurationKeys.HADOOP_SECURITY_DNS_INTERFACE_KEY);
    return device != null
        ? DNS.getDefaultHost(
            device, conf.get(CommonConfigurationKeys.HADOOP_SECURITY_DNS_NAMESERVER_KEY), true)
        : DNS.getDefaultHost(
            conf.get(DFSConfigKeys.DFS_DATANODE_DNS_INTERFACE_KEY),
            conf.get(DFSConfigKeys.DFS_DATANODE_DNS_NAMESERVER_KEY),
            false);
  }

  /** A NameNode takes the address that a connection comes from, whatever the name resolves to. */
  private static String address(Configuration conf, String hostName) {
    InetSocketAddress nameNode = nameNode(conf);
    if (nameNode != null) {
      // No packet is sent: the kernel only says which of its addresses it would use.
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.connect(nameNode);
        return socket.getLocalAddress().getHostAddress();
      } catch (SocketException e) {
        return null;
      }
    }
    InetSocketAddress own = new InetSocketAddress(hostName, 0);
    return own.isUnresolved() ? null : own.getAddress().getHostAddress();
  }

  /** One whose name is known here; null where the configuration names none. */
  private static InetSocketAddress nameNode(Configuration conf) {
    try {
      return DFSUtil.getNNServiceRpcAddressesForCluster(conf).values().stream()
          .map(Map::values)
          .flatMap(all -> all.stream())
          .filter(each -> !each.isUnresolved())
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}
