package io.tierwise.lab.embedded;

import io.tierwise.lab.embedded.device.EmulatedDatasetFactory;
import io.tierwise.lab.embedded.network.EmulatedNetwork;
import io.tierwise.lab.embedded.network.NodeSocketFactory;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;

/**
 * A running HDFS in this JVM on emulated devices and links. Close it to stop all daemons; its files
 * stay where they were put.
 */
public final class EmbeddedCluster implements AutoCloseable {
  /** Between two heartbeats of a DataNode; HDFS's default is 3. */
  public static final int HEARTBEAT_SECONDS = 1;

  private static final int COMPLETION_POLL_MILLIS = 5;

  private final EmbeddedPlan plan;
  private final List<EmbeddedNode> nodes;
  private final Configuration conf;
  private final MiniDFSCluster cluster;

  private EmbeddedCluster(
      EmbeddedPlan plan, List<EmbeddedNode> nodes, Configuration conf, MiniDFSCluster cluster) {
    this.plan = plan;
    this.nodes = nodes;
    this.conf = conf;
    this.cluster = cluster;
  }

  /**
   * Formats and starts a cluster.
   *
   * @param extra keys for all daemons, for example the plug-ins'; a dataset factory in it is
   *     wrapped by the one that emulates devices
   * @param directory must be empty or new; a directory serves one cluster in the life of a JVM
   * @throws IOException also when the machine lets nobody bind to 127.1.x.x (only Linux does)
   */
  public static EmbeddedCluster start(EmbeddedPlan plan, Configuration extra, Path directory)
      throws IOException {
    List<EmbeddedNode> nodes = plan.nodes();
    requireOwnAddresses(nodes);
    Files.createDirectories(directory);
    Configuration conf = daemonConfiguration(plan, extra, directory);
    for (EmbeddedNode node : nodes) {
      EmulatedNetwork.shared().add(node.address(), node.rack());
      // An address without a name makes every registration ask the name service, and wait for it.
      NetUtils.addStaticResolution(node.hostName(), node.address().getHostAddress());
    }
    EmulatedNetwork.shared().setLinkBytesPerSecond(plan.linkBytesPerSecond() * plan.speedFactor());
    MiniDFSCluster cluster = startDaemons(nodes, conf, directory);
    for (EmbeddedNode node : nodes) {
      NetUtils.addStaticResolution(node.hostName(), node.address().getHostAddress());
    }
    return new EmbeddedCluster(plan, nodes, conf, cluster);
  }

  private static MiniDFSCluster startDaemons(
      List<EmbeddedNode> nodes, Configuration conf, Path directory) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .numDataNodes(nodes.size())
            .racks(nodes.stream().map(EmbeddedNode::rack).toArray(String[]::new))
            .hosts(nodes.stream().map(EmbeddedNode::hostName).toArray(String[]::new))
            .storagesPerDatanode(2)
            .storageTypes(
                nodes.stream().map(EmbeddedCluster::storageTypes).toArray(StorageType[][]::new))
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(
                nodes.stream().map(EmbeddedCluster::overlay).toArray(Configuration[]::new))
            .build();
    cluster.waitActive();
    return cluster;
  }

  private static StorageType[] storageTypes(EmbeddedNode node) {
    return node.devices().keySet().stream().sorted().toArray(StorageType[]::new);
  }

  private static Configuration overlay(EmbeddedNode node) {
    Configuration overlay = new Configuration(false);
    String anyPort = node.address().getHostAddress() + ":0";
    overlay.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, anyPort);
    overlay.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, anyPort);
    overlay.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, anyPort);
    NodeSocketFactory.setAddress(overlay, node.address());
    node.devices().forEach((type, model) -> EmulatedDatasetFactory.setDevice(overlay, type, model));
    return overlay;
  }

  private static Configuration daemonConfiguration(
      EmbeddedPlan plan, Configuration extra, Path directory) throws IOException {
    Configuration conf = new HdfsConfiguration();
    extra.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    Path tiers = directory.resolve("tiers.yaml");
    Files.writeString(tiers, plan.tiersYaml());
    conf.set("tierwise.tiers.file", tiers.toAbsolutePath().toString());
    String factory = conf.get(DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY);
    if (factory != null) {
      conf.set(EmulatedDatasetFactory.DATASET_FACTORY_KEY, factory);
    }
    conf.set(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY, EmulatedDatasetFactory.class.getName());
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 64 << 10);
    // Emulated devices are slow by design: no warning a packet.
    conf.setLong(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY, 60_000);
    // The scanner would read all data once more, on the devices that are measured.
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SCANNER_VOLUME_BYTES_PER_SECOND, 0);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, HEARTBEAT_SECONDS);
    // A client that closes a file before a DataNode has told of its last block asks again after
    // 400 ms, which is nothing beside blocks of 128 MiB, but much beside ours.
    conf.setInt(
        HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY,
        COMPLETION_POLL_MILLIS);
    return conf;
  }

  private static void requireOwnAddresses(List<EmbeddedNode> nodes) throws IOException {
    EmbeddedNode last = nodes.get(nodes.size() - 1);
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(last.address(), 0));
    } catch (IOException e) {
      throw new IOException(
          "this machine does not let a program listen on "
              + last.address().getHostAddress()
              + ": the embedded cluster needs all of 127.0.0.0/8, as Linux has it",
          e);
    }
  }

  public EmbeddedPlan plan() {
    return plan;
  }

  public List<EmbeddedNode> nodes() {
    return nodes;
  }

  public URI uri() {
    return cluster.getURI();
  }

  /** Configuration of the daemons and of a client that is on no node. */
  public Configuration configuration() {
    return new Configuration(conf);
  }

  /** Configuration of a client on that node: its connections come from the node's address. */
  public Configuration configurationOn(EmbeddedNode node) {
    Configuration client = new Configuration(conf);
    client.set(DFSConfigKeys.FS_DEFAULT_NAME_KEY, uri().toString());
    NodeSocketFactory.setAddress(client, node.address());
    client.set("tierwise.client.location", node.rack() + "/" + node.hostName());
    return client;
  }

  /** A new client on that node; the caller closes it. */
  public FileSystem clientOn(EmbeddedNode node) throws IOException {
    return FileSystem.newInstance(uri(), configurationOn(node));
  }

  /** The daemons, for tests that stop one. */
  public MiniDFSCluster daemons() {
    return cluster;
  }

  /** Restarts the NameNode with keys set, and waits until all DataNodes are back. */
  public void restartNameNode(Map<String, String> keys) throws IOException {
    keys.forEach(cluster.getConfiguration(0)::set);
    keys.forEach(conf::set);
    cluster.restartNameNode(0, true);
    cluster.waitActive();
    for (EmbeddedNode node : nodes) {
      renewConnection(node);
    }
  }

  /** Clients of an address share a connection; the first call after a restart finds it broken. */
  private void renewConnection(EmbeddedNode node) throws IOException {
    try (FileSystem client = clientOn(node)) {
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
      try {
        client.getFileStatus(root);
      } catch (EOFException | SocketException broken) {
        client.getFileStatus(root);
      }
    }
  }

  /** Restarts all DataNodes with keys for their datasets, for example limits of readers. */
  public void restartDataNodes(Map<String, String> datasetKeys) throws IOException {
    EmulatedDatasetFactory.setKeys(datasetKeys);
    cluster.restartDataNodes();
    cluster.waitActive();
  }

  @Override
  public void close() {
    EmulatedDatasetFactory.setKeys(Map.of());
    cluster.shutdown();
    nodes.forEach(node -> EmulatedNetwork.shared().remove(node.address()));
  }
}
