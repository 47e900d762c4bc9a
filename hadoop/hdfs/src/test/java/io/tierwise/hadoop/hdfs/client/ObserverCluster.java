package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;

/**
 * A real HDFS of three NameNodes over journal nodes: two that take turns, and an observer that lags
 * up to three seconds behind. Its edits are tailed while a segment is open, as observers need it.
 */
final class ObserverCluster implements AutoCloseable {
  /** The first of them; the others have the numbers behind. */
  private static final int OBSERVER = 2;

  private static final long WAIT_NANOS_MAX = 120_000_000_000L;

  static final int BLOCK_BYTES = 4096;

  private final MiniQJMHACluster cluster;

  private ObserverCluster(MiniQJMHACluster cluster) {
    this.cluster = cluster;
  }

  static ObserverCluster start(int dataNodes) throws IOException {
    return start(dataNodes, Map.of());
  }

  /**
   * @param settings of the NameNodes, on top
   */
  static ObserverCluster start(int dataNodes, Map<String, String> settings) throws IOException {
    return start(dataNodes, settings, 1);
  }

  static ObserverCluster start(int dataNodes, Map<String, String> settings, int observers)
      throws IOException {
    Configuration conf = new HdfsConfiguration();
    settings.forEach(conf::set);
    conf.setBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    conf.set(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, "3s");
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY, true);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, dataNodes);
    CompletionPolls.shorten(conf);
    File folder = new File(System.getProperty("test.build.data", "target/test/data"));
    File base = new File(folder, UUID.randomUUID().toString());
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(conf, new File(base, "dfs"))
            .baseDir(new File(base, "journals").toString())
            .setNumNameNodes(OBSERVER + observers);
    builder.getDfsBuilder().numDataNodes(dataNodes);
    ObserverCluster started = new ObserverCluster(builder.build());
    started.mini().transitionToActive(0);
    started.mini().waitActive(0);
    for (int observer = 0; observer < observers; observer++) {
      started.mini().transitionToObserver(OBSERVER + observer);
    }
    return started;
  }

  MiniDFSCluster mini() {
    return cluster.getDfsCluster();
  }

  /** A client that reads from the observer; {@code settings} are keys and values in turn. */
  Configuration clientConfiguration(Map<String, String> settings) {
    Configuration conf = new Configuration(mini().getConfiguration(0));
    String name = MiniQJMHACluster.NAMESERVICE;
    conf.set(
        "dfs.client.failover.proxy.provider." + name, ObserverReadProxyProvider.class.getName());
    conf.set("fs.defaultFS", "hdfs://" + name);
    conf.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", TierwiseFs.class.getName());
    settings.forEach(conf::set);
    return conf;
  }

  TierwiseFileSystem fileSystem(Map<String, String> settings) throws IOException {
    return (TierwiseFileSystem) FileSystem.newInstance(clientConfiguration(settings));
  }

  FileContext fileContext(Map<String, String> settings) throws IOException {
    return FileContext.getFileContext(clientConfiguration(settings));
  }

  /** A client that knows of one observer only. */
  TierwiseFileSystem fileSystemAt(int observer, Map<String, String> settings) throws IOException {
    Configuration conf = clientConfiguration(settings);
    String key =
        HdfsClientConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + "." + MiniQJMHACluster.NAMESERVICE;
    String[] names = conf.getTrimmedStrings(key);
    conf.set(key, String.join(",", names[0], names[1], names[observer]));
    return (TierwiseFileSystem) FileSystem.newInstance(conf);
  }

  TierwiseTopology topology(int nameNode) {
    return (TierwiseTopology)
        mini().getNamesystem(nameNode).getBlockManager().getDatanodeManager().getNetworkTopology();
  }

  /** Whether the client's latest call of a NameNode was answered by the observer. */
  boolean isFromObserver(DistributedFileSystem client) throws IOException {
    return isFrom(client, OBSERVER);
  }

  boolean isFrom(DistributedFileSystem client, int nameNode) throws IOException {
    return HATestUtil.isSentToAnyOfNameNodes(client, mini(), nameNode);
  }

  /** Each NameNode is told by the DataNodes themselves, and of files by the journal. */
  boolean knowsReplicas(int nameNode, Path path, int count) {
    try {
      LocatedBlocks known =
          NameNodeAdapter.getBlockLocations(mini().getNameNode(nameNode), path.toString(), 0, 1);
      return known != null && known.get(0).getLocations().length == count;
    } catch (IOException e) {
      return false;
    }
  }

  boolean isFromActive(DistributedFileSystem client) throws IOException {
    return HATestUtil.isSentToAnyOfNameNodes(client, mini(), active());
  }

  int observer() {
    return OBSERVER;
  }

  int active() {
    return mini().getNameNode(0).isActiveState() ? 0 : 1;
  }

  /** The active NameNode and its standby change places. */
  void failOver() throws IOException {
    int active = active();
    mini().transitionToStandby(active);
    mini().transitionToActive(1 - active);
  }

  void stopObserver() {
    mini().shutdownNameNode(OBSERVER);
  }

  void startObserver() throws IOException {
    mini().restartNameNode(OBSERVER);
    mini().transitionToObserver(OBSERVER);
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + WAIT_NANOS_MAX;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(5_000_000L);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
