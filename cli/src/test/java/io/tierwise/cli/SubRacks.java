package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.net.StaticMapping;

/**
 * HDFS as docs/how-to/localized-storage.md builds it, by the files of its example: two racks of two
 * storage nodes each, and compute nodes without a DataNode. These are clients at addresses of their
 * own on this machine: the example's, of the loopback network.
 */
final class SubRacks implements AutoCloseable {
  static final Path EXAMPLE =
      Path.of(System.getProperty("tierwise.root"), "docs", "examples", "localized-storage");

  private static final StorageType[] VOLUMES = {
    StorageType.SSD, StorageType.DISK, StorageType.DISK
  };

  private final Path folder;
  private final List<Host> hosts = new ArrayList<>();
  private MiniDFSCluster cluster;

  /** A line of the topology's table. */
  record Host(String address, String name, String location) {
    boolean isStorage() {
      return name.startsWith("lsn-");
    }

    /** As in {@code explain --reader}. */
    String place() {
      return location + "/" + name;
    }

    String rack() {
      return rackOf(location);
    }
  }

  static String rackOf(String location) {
    return location.substring(0, location.lastIndexOf('/'));
  }

  /** Reads the example's table, and asks the example's script for the place of each host. */
  SubRacks(Path folder) throws IOException {
    this.folder = folder;
    String table = Files.readString(EXAMPLE.resolve("topology.table"));
    Files.writeString(folder.resolve("topology.table"), table.replaceAll("(?m)^10\\.", "127."));
    Path script = Files.copy(EXAMPLE.resolve("topology.sh"), folder.resolve("topology.sh"));
    Configuration conf = new Configuration(false);
    conf.set("net.topology.script.file.name", script.toString());
    ScriptBasedMapping mapping = new ScriptBasedMapping(conf);
    for (String line : Files.readAllLines(folder.resolve("topology.table"))) {
      if (!line.startsWith("#")) {
        String[] words = line.split(" +");
        List<String> places = mapping.resolve(List.of(words[0], words[1]));
        hosts.add(new Host(words[0], words[1], places.get(0)));
        StaticMapping.addNodeToRack(words[0], places.get(0));
        StaticMapping.addNodeToRack(words[1], places.get(1));
      }
    }
  }

  /** Starts the storage nodes; each has three volumes. */
  void start(Configuration conf) throws IOException {
    List<Host> storage = storageNodes();
    cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(storage.size())
            .hosts(storage.stream().map(Host::name).toArray(String[]::new))
            .racks(storage.stream().map(Host::location).toArray(String[]::new))
            .storagesPerDatanode(VOLUMES.length)
            .storageTypes(VOLUMES)
            .build();
    cluster.waitActive();
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  List<Host> storageNodes() {
    return hosts.stream().filter(Host::isStorage).toList();
  }

  List<Host> computeNodes() {
    return hosts.stream().filter(host -> !host.isStorage()).toList();
  }

  Host named(String begin) {
    return hosts.stream().filter(host -> host.name().startsWith(begin)).findFirst().orElseThrow();
  }

  DataNode dataNodeOf(Host storage) {
    return cluster.getDataNodes().stream()
        .filter(node -> node.getDatanodeId().getHostName().equals(storage.name()))
        .findFirst()
        .orElseThrow();
  }

  /** A new client on that host; to be closed. */
  DistributedFileSystem on(Host host) throws IOException {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    keysOf(host).forEach(conf::set);
    return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
  }

  /** What makes a client one on that host. */
  static Map<String, String> keysOf(Host host) {
    return Map.of(
        "hadoop.rpc.socket.factory.class.default",
        FromAddress.class.getName(),
        FromAddress.KEY,
        host.address());
  }

  /** Makes this machine that host for clients that ask where they are. */
  static void beOn(Host host) {
    StaticMapping.addNodeToRack(NetUtils.getLocalHostname(), host.location());
  }

  /** Where each block's replicas are, in the order in which the client is told them. */
  static List<List<String>> locations(DistributedFileSystem fs, String file) throws IOException {
    List<List<String>> blocks = new ArrayList<>();
    for (LocatedBlock block :
        fs.getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      blocks.add(
          Arrays.stream(block.getLocations()).map(node -> node.getNetworkLocation()).toList());
    }
    return blocks;
  }

  /** Whether HDFS leaves the replicas where they are; it copies them elsewhere otherwise. */
  boolean isSpreadAsHdfsWants(DistributedFileSystem fs, String file) throws IOException {
    BlockPlacementPolicy policy =
        cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy();
    return fs.getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
        .map(LocatedBlock::getLocations)
        .allMatch(at -> policy.verifyBlockPlacement(at, at.length).isPlacementPolicySatisfied());
  }

  /** Where its replicas are, asked of nobody who would count it as a read. */
  Set<String> holders(String file) throws IOException {
    Set<String> holders = new TreeSet<>();
    for (BlockInfo block :
        cluster.getNamesystem().getFSDirectory().getINode(file).asFile().getBlocks()) {
      block.getStorageInfos().forEachRemaining(at -> holders.add(locationOf(at)));
    }
    return holders;
  }

  private static String locationOf(DatanodeStorageInfo storage) {
    return storage.getDatanodeDescriptor().getNetworkLocation();
  }

  /** Waits until the NameNode has heard of no transfers: each node then reports the same few. */
  void awaitIdle() throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    DistributedFileSystem fs = cluster.getFileSystem();
    while (Arrays.stream(fs.getDataNodeStats())
            .map(DatanodeInfo::getXceiverCount)
            .distinct()
            .count()
        > 1) {
      assertThat(System.nanoTime()).as("nodes are idle in time").isLessThan(end);
      cluster.triggerHeartbeats();
    }
  }

  void awaitReplicas(String file, int replicas) throws IOException {
    ReportedReplicas.await(cluster.getNameNode(), file, replicas);
  }

  /** Stops a storage node, and tells the NameNode that it is dead. */
  void lose(Host storage) throws IOException {
    DataNode node = dataNodeOf(storage);
    String uuid = node.getDatanodeUuid();
    cluster.stopDataNode(node.getDatanodeId().getXferAddr());
    BlockManager blocks = cluster.getNamesystem().getBlockManager();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    // Again where a heartbeat came that was on its way.
    while (!BlockManagerTestUtil.isDatanodeRemoved(cluster.getNameNode(), uuid)) {
      assertThat(System.nanoTime()).as("%s is dead in time", storage).isLessThan(end);
      DFSTestUtil.setDatanodeDead(blocks.getDatanodeManager().getDatanode(uuid));
      BlockManagerTestUtil.checkHeartbeat(blocks);
    }
  }

  @Override
  public void close() {
    if (cluster != null) {
      cluster.shutdown(true);
    }
    StaticMapping.resetMap();
  }

  /** Connects from an address of this machine, which to a NameNode is another host. */
  public static final class FromAddress extends StandardSocketFactory implements Configurable {
    static final String KEY = "tierwise.test.client.address";
    private Configuration conf;

    @Override
    public void setConf(Configuration conf) {
      this.conf = conf;
    }

    @Override
    public Configuration getConf() {
      return conf;
    }

    private String address() {
      return conf.get(KEY);
    }

    @Override
    public Socket createSocket() throws IOException {
      Socket socket = super.createSocket();
      socket.bind(new InetSocketAddress(address(), 0));
      return socket;
    }

    /** Clients of equal factories share connections. */
    @Override
    public boolean equals(Object other) {
      return other instanceof FromAddress factory && factory.address().equals(address());
    }

    @Override
    public int hashCode() {
      return address().hashCode();
    }
  }
}
