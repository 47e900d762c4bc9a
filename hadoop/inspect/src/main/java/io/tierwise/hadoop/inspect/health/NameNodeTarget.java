package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.MountTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;

/**
 * One NameNode to look at.
 *
 * @param name its id in the configuration, or its address
 * @param highlyAvailable whether it is one of several; a single one has no other state than active
 * @param rpc where clients ask it
 * @param web its web server
 */
public record NameNodeTarget(String name, boolean highlyAvailable, InetSocketAddress rpc, URI web) {
  /** All file systems of HDFS that the default one stands for: itself, or a mount table's. */
  public static List<URI> fileSystems(Configuration conf) {
    URI uri = FileSystem.getDefaultUri(conf);
    if (MountTable.covers(uri, conf)) {
      return MountTable.fileSystems(uri, conf);
    }
    ClusterConnection.requireHdfs(uri);
    return List.of(uri);
  }

  /** All NameNodes of a file system: active, standby and observers alike. */
  public static List<NameNodeTarget> of(URI uri, Configuration conf) throws IOException {
    Map<String, InetSocketAddress> ha =
        DFSUtilClient.getHaNnRpcAddresses(conf).get(uri.getAuthority());
    if (ha == null) {
      InetSocketAddress address =
          NetUtils.createSocketAddr(
              uri.getAuthority(), HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT);
      return List.of(target(uri.getAuthority(), false, address, conf));
    }
    List<NameNodeTarget> targets = new ArrayList<>();
    for (Map.Entry<String, InetSocketAddress> node : ha.entrySet()) {
      targets.add(target(node.getKey(), true, node.getValue(), conf));
    }
    return targets;
  }

  /** Its state, for people: with its address where it is named by an id. */
  String stateText() {
    return highlyAvailable ? "its state at " + NetUtils.getHostPortString(rpc) : "its state";
  }

  /**
   * Its web server, for people: by its port alone where it is on the host that clients ask, so that
   * the host is not named in two ways.
   */
  String webText() {
    boolean sameHost;
    try {
      sameHost = InetAddress.getByName(web.getHost()).equals(rpc.getAddress());
    } catch (UnknownHostException e) {
      sameHost = false;
    }
    return "its web server at " + (sameHost ? "port " + web.getPort() : web);
  }

  private static NameNodeTarget target(
      String name, boolean highlyAvailable, InetSocketAddress rpc, Configuration conf)
      throws IOException {
    return new NameNodeTarget(
        name,
        highlyAvailable,
        rpc,
        DFSUtil.getInfoServer(rpc, conf, DFSUtil.getHttpClientScheme(conf)));
  }
}
