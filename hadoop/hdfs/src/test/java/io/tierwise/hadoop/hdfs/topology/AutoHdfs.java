package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.hadoop.hdfs.client.Heartbeats;
import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;

/**
 * A real HDFS of three equal nodes in three racks whose NameNode orders by {@code auto}. By
 * configuration its disks are slow: a block that was counted is there for half a second and more.
 */
final class AutoHdfs implements AutoCloseable {
  static final int NODES = 3;

  private static final String SLOW_DISKS =
      """
      tiers:
        - name: disk
          match: {storage-type: DISK}
          class: {name: slow-disk, read-megabytes-per-second: 2}
      """;

  private static final byte[] CLIENT = new byte[16];
  private static final long WAIT_NANOS = 100_000_000L;
  private static final long WAIT_NANOS_MAX = 60_000_000_000L;

  private final MiniHdfs hdfs;
  private final Configuration conf;

  private AutoHdfs(MiniHdfs hdfs, Configuration conf) {
    this.hdfs = hdfs;
    this.conf = conf;
  }

  /**
   * With links of 1 MB/s, and the plug-in that tells looks from reads.
   *
   * @param settings keys and values in turn, on top
   */
  static AutoHdfs start(File folder, String... settings) throws IOException {
    String[] all = Arrays.copyOf(settings, settings.length + 2);
    all[settings.length] = DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY;
    all[settings.length + 1] = TierwiseNameNodePlugin.class.getName();
    return start(folder, 1, all);
  }

  /**
   * @param settings keys and values in turn, on top
   */
  static AutoHdfs start(File folder, int linkMegabytesPerSecond, String... settings)
      throws IOException {
    Configuration conf = MiniHdfs.configuration();
    String strategy = "auto:link-megabytes-per-second=" + linkMegabytesPerSecond;
    OrderKeys.of(strategy, folder, SLOW_DISKS).forEach(conf::set);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    StorageType[] disks = new StorageType[NODES];
    Arrays.fill(disks, StorageType.DISK);
    return new AutoHdfs(
        MiniHdfs.start(conf, disks, new String[] {"/rack0", "/rack1", "/rack2"}), conf);
  }

  /** An SSD and a disk, each on a node in a rack of its own; looks are told from reads. */
  static AutoHdfs ofTwoKinds(File folder, String strategy, String tiers) throws IOException {
    Configuration conf = MiniHdfs.configuration();
    OrderKeys.of(strategy, folder, tiers).forEach(conf::set);
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    StorageType[] kinds = {StorageType.SSD, StorageType.DISK};
    return new AutoHdfs(MiniHdfs.start(conf, kinds, new String[] {"/rack0", "/rack1"}), conf);
  }

  MiniHdfs hdfs() {
    return hdfs;
  }

  /** The tiers, as a process of its own would read them. */
  ReplicaTiers freshTiers() {
    return new ReplicaTiers(TierConfiguration.load(conf));
  }

  DatanodeManager nodes() {
    return hdfs.cluster().getNamesystem().getBlockManager().getDatanodeManager();
  }

  TierwiseTopology topology() {
    return (TierwiseTopology) nodes().getNetworkTopology();
  }

  /**
   * As another NameNode of this cluster would have it that starts.
   *
   * @param settings keys and values in turn, on top
   */
  TierwiseTopology freshTopology(String... settings) {
    Configuration own = new Configuration(conf);
    for (int i = 0; i < settings.length; i += 2) {
      own.set(settings[i], settings[i + 1]);
    }
    TierwiseTopology topology = new TierwiseTopology();
    topology.setConf(own);
    return topology;
  }

  DatanodeDescriptor descriptor(DataNode node) {
    return nodes().getDatanode(node.getDatanodeUuid());
  }

  /**
   * Says on behalf of all nodes that they have nothing to do. Their own reports depend on the
   * moment: a connection that is kept open after a read counts as a transfer.
   */
  void silenceNodes() {
    Heartbeats.hold(hdfs.cluster());
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      descriptor(node).setXceiverCount(0);
    }
  }

  void letNodesTell() {
    Heartbeats.goOn(hdfs.cluster());
  }

  /** Until the NameNode knows all replicas of the file's blocks again, which nodes must tell. */
  void restartNameNode(String path) throws IOException {
    letNodesTell();
    hdfs.cluster().restartNameNode(true);
    await(
        () -> {
          try {
            return blocks(path).getLocatedBlocks().stream()
                .allMatch(block -> block.getLocations().length == NODES);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** The file's blocks as the NameNode knows them now. */
  LocatedBlocks blocks(String path) throws IOException {
    return hdfs.stock().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE);
  }

  /** Its first block alone; found without a count, as no client reads it. */
  LocatedBlocks firstBlock(String path) throws IOException {
    LocatedBlocks all = blocks(path);
    all.getLocatedBlocks().subList(1, all.locatedBlockCount()).clear();
    return all;
  }

  /** The node that a reader outside the cluster would be sent to; counts nothing. */
  String firstForOutsider(String path) throws IOException {
    return first(blocks(path), 1);
  }

  String first(LocatedBlocks blocks, int outsider) {
    nodes().sortLocatedBlocks("192.0.2." + outsider, blocks.getLocatedBlocks());
    return blocks.get(0).getLocations()[0].getHostName();
  }

  /** The node that the reader is sent to, which is counted. */
  String answer(LocatedBlocks blocks, int outsider) {
    String[] first = new String[1];
    asCall(outsider, () -> first[0] = first(blocks, outsider));
    return first[0];
  }

  /** Waits until a reader outside the cluster would be sent to that node. */
  void awaitFirst(String path, String host) throws IOException {
    await(
        () -> {
          try {
            return firstForOutsider(path).equals(host);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + WAIT_NANOS_MAX;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(WAIT_NANOS);
    }
  }

  /** As a call of a client is handled. */
  static void asCall(int id, Runnable open) {
    Server.getCurCall()
        .set(new Server.Call(id, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, CLIENT));
    try {
      open.run();
    } finally {
      Server.getCurCall().remove();
    }
  }

  /** Likewise, of a client on a host of that number. */
  static void asCallFrom(int host, int id, Runnable open) {
    byte[] address = {(byte) 192, 0, 2, (byte) host};
    Server.getCurCall()
        .set(
            new Server.Call(id, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, CLIENT) {
              @Override
              public InetAddress getHostInetAddress() {
                try {
                  return InetAddress.getByAddress(address);
                } catch (UnknownHostException e) {
                  throw new AssertionError(e);
                }
              }
            });
    try {
      open.run();
    } finally {
      Server.getCurCall().remove();
    }
  }

  /** For a thread that sorts beside others. */
  static List<LocatedBlock> copyOf(LocatedBlock block) {
    return List.of(
        new LocatedBlock(
            block.getBlock(),
            block.getLocations().clone(),
            block.getStorageIDs(),
            block.getStorageTypes()));
  }

  @Override
  public void close() {
    hdfs.close();
  }
}
