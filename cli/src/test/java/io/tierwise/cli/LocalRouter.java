package io.tierwise.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.hdfs.server.federation.router.RouterServiceState;
import org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl;
import org.apache.hadoop.hdfs.tools.federation.RouterAdmin;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.ToolRunner;

/** A Router of HDFS's federation in this process, with a state store in files. */
final class LocalRouter implements AutoCloseable {
  static final int POLL_MILLIS = 200;
  static final int PATIENCE_MILLIS = 300_000;

  private final Configuration conf = new HdfsConfiguration();
  private final Router router = new Router();

  /**
   * @param nameServices of the cluster, by the index of their NameNodes
   * @param settings of the Router, beside what it needs
   */
  LocalRouter(
      MiniDFSCluster mini, List<String> nameServices, Path store, Map<String, String> settings)
      throws Exception {
    conf.set("dfs.nameservices", String.join(",", nameServices));
    for (int i = 0; i < nameServices.size(); i++) {
      String name = nameServices.get(i);
      conf.set("dfs.namenode.rpc-address." + name, "127.0.0.1:" + mini.getNameNodePort(i));
      conf.set(
          "dfs.namenode.http-address." + name,
          "127.0.0.1:" + mini.getNameNode(i).getHttpAddress().getPort());
    }
    conf.set(RBFConfigKeys.DFS_ROUTER_MONITOR_NAMENODE, String.join(",", nameServices));
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_MONITOR_LOCAL_NAMENODE, false);
    conf.setLong(RBFConfigKeys.DFS_ROUTER_HEARTBEAT_INTERVAL_MS, 500);
    conf.setLong(RBFConfigKeys.DFS_ROUTER_CACHE_TIME_TO_LIVE_MS, 500);
    conf.set(RBFConfigKeys.FEDERATION_STORE_DRIVER_CLASS, StateStoreFileImpl.class.getName());
    conf.set("dfs.federation.router.store.driver.file.directory", store.toString());
    // The Router's jar is of Hadoop 3.4, whose web server 3.5 does not start; RPC is what counts.
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_HTTP_ENABLE, false);
    for (String server : List.of("rpc", "admin")) {
      conf.set("dfs.federation.router." + server + "-address", "127.0.0.1:0");
      conf.set("dfs.federation.router." + server + "-bind-host", "127.0.0.1");
    }
    settings.forEach(conf::set);
    router.init(conf);
    router.start();
    GenericTestUtils.waitFor(
        () -> router.getRouterState() == RouterServiceState.RUNNING,
        POLL_MILLIS,
        PATIENCE_MILLIS,
        "the Router to leave safe mode");
    conf.set(
        "dfs.federation.router.admin-address",
        "127.0.0.1:" + router.getAdminServerAddress().getPort());
  }

  String uri() {
    return "hdfs://127.0.0.1:" + router.getRpcServerAddress().getPort();
  }

  /** Writes the site file of a client whose default is this Router. */
  void writeSite(Path directory, Map<String, String> more) throws IOException {
    Configuration site = new Configuration(false);
    site.set("fs.defaultFS", uri());
    site.set("fs.hdfs.impl", "io.tierwise.hadoop.hdfs.client.TierwiseFileSystem");
    more.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(directory.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
  }

  /** Runs {@code hdfs dfsrouteradmin}. */
  int admin(String... arguments) throws Exception {
    return ToolRunner.run(conf, new RouterAdmin(conf), arguments);
  }

  @Override
  public void close() {
    router.stop();
  }
}
