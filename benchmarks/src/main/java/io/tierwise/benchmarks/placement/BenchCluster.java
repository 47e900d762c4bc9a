package io.tierwise.benchmarks.placement;

import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNodeLayoutVersion;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;

/**
 * A real NameNode with both placement policies and as many registered DataNodes as wanted.
 *
 * <p>Every node has two DISK volumes; by turns one more of SSD, ARCHIVE or none. Volumes are used
 * to between 0 and 90%. Nodes made unusable are by turns overloaded, decommissioning, in
 * maintenance and stale.
 */
final class BenchCluster implements AutoCloseable {
  static final long BLOCK_BYTES = 128L << 20;

  private static final long VOLUME_BYTES = 1L << 40;
  private static final double USED_SHARE_MAX = 0.9;
  private static final int TRANSFERS_OVERLOADED = 500;
  private static final long STALE_MILLIS = 3_000;
  private static final long FUTURE_MILLIS = 3_600_000;
  private static final int LOOKS_TO_SETTLE = 3;
  private static final String TIERS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
        - name: disk
          match: {storage-type: DISK}
        - name: archive
          match: {storage-type: ARCHIVE}
      """;

  private final TreeShape shape;
  private final Path folder;
  private final NameNode nameNode;
  private final BlockManager blocks;
  private final BlockPlacementPolicy stock;
  private final BlockPlacementPolicy tierwise;
  private final Configuration conf;
  private final Configuration stockConf;
  private TierwiseNameNodePlugin plugIn;
  private final NamespaceInfo namespace;
  private final Random random = new Random(1);
  private final List<DatanodeRegistration> registrations = new ArrayList<>();
  private final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private final Map<String, Integer> numbersOfNodes = new HashMap<>();

  BenchCluster(TreeShape shape) throws IOException {
    this(shape, new Configuration(false));
  }

  /**
   * @param changes keys that differ from what is set here
   */
  BenchCluster(TreeShape shape, Configuration changes) throws IOException {
    this.shape = shape;
    folder = Files.createTempDirectory("tierwise-bench");
    conf = settings(folder);
    changes.forEach(change -> conf.set(change.getKey(), change.getValue()));
    NameNode.format(conf);
    nameNode = new NameNode(conf);
    blocks = nameNode.getNamesystem().getBlockManager();
    tierwise = blocks.getBlockPlacementPolicy();
    stockConf = new Configuration(conf);
    stockConf.setClass(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        BlockPlacementPolicyDefault.class,
        BlockPlacementPolicy.class);
    blocks.refreshBlockPlacementPolicy(stockConf);
    stock = blocks.getBlockPlacementPolicy();
    blocks.refreshBlockPlacementPolicy(conf);
    namespace = nameNode.getRpcServer().versionRequest();
  }

  private static Configuration settings(Path folder) throws IOException {
    Path tiers = folder.resolve("tiers.yaml");
    Files.writeString(tiers, TIERS);
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://localhost:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "localhost:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, folder.resolve("name").toUri().toString());
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        RackOfName.class,
        DNSToSwitchMapping.class);
    conf.setClass(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        TierwisePlacementPolicy.class,
        BlockPlacementPolicy.class);
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY, true);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY, STALE_MILLIS);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, FUTURE_MILLIS);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 0);
    return conf;
  }

  TreeShape shape() {
    return shape;
  }

  NameNode nameNode() {
    return nameNode;
  }

  DatanodeRegistration registrationOf(String nodeId) {
    return registrations.get(numbersOfNodes.get(nodeId));
  }

  /**
   * From now on it is a NameNode with the plug-ins, or again a stock one; for one that was made
   * without {@code dfs.namenode.plugins}.
   */
  void usePlugIns(boolean use) {
    if (plugIn != null) {
      plugIn.stop();
      plugIn = null;
    }
    if (use) {
      plugIn = new TierwiseNameNodePlugin();
      plugIn.start(nameNode);
    }
    blocks.refreshBlockPlacementPolicy(use ? conf : stockConf);
  }

  /** Has the nodes fetch all that they are to delete, so that the NameNode remembers none of it. */
  void awaitDeletions() throws IOException {
    do {
      heartbeat();
      LockSupport.parkNanos(100_000_000L);
    } while (blocks.getPendingDeletionBlocksCount() > 0);
    heartbeat();
  }

  /** Heartbeats of all nodes, by which they fetch what they are to delete. */
  void heartbeat() throws IOException {
    for (int node = 0; node < registrations.size(); node++) {
      heartbeat(node, 2);
    }
  }

  BlockPlacementPolicy stock() {
    return stock;
  }

  BlockPlacementPolicy tierwise() {
    return tierwise;
  }

  int nodeCount() {
    return nodes.size();
  }

  DatanodeDescriptor node(int index) {
    return nodes.get(index);
  }

  /** A directory under {@code policy} with one empty file; the file's path. */
  String managedFile(String name, String policy) throws IOException {
    NamenodeProtocols rpc = nameNode.getRpcServer();
    String directory = "/bench/" + name;
    rpc.mkdirs(directory, FsPermission.getDirDefault(), true);
    XAttr attribute =
        new XAttr.Builder()
            .setNameSpace(XAttr.NameSpace.USER)
            .setName("tierwise.placement")
            .setValue(policy.getBytes(StandardCharsets.UTF_8))
            .build();
    rpc.setXAttr(directory, attribute, EnumSet.of(XAttrSetFlag.CREATE));
    String file = directory + "/part-00000";
    rpc.create(
        file,
        FsPermission.getFileDefault(),
        "bench",
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
        true,
        (short) 3,
        BLOCK_BYTES,
        CryptoProtocolVersion.supported(),
        null,
        null);
    return file;
  }

  /** The inode id of a file. */
  long idOf(String file) throws IOException {
    return nameNode.getRpcServer().getFileInfo(file).getFileId();
  }

  /** Through which the block manager looks up the file of a block: the plug-in's, once it runs. */
  Namesystem namesystemOfBlocks() {
    try {
      Field field = BlockManager.class.getDeclaredField("namesystem");
      field.setAccessible(true);
      return (Namesystem) field.get(blocks);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the block manager keeps its namesystem elsewhere", e);
    }
  }

  /** Registers nodes until there are {@code count}, all usable. */
  void growTo(int count) throws IOException {
    while (registrations.size() < count) {
      int node = registrations.size();
      String address = "10." + (node >> 16) + "." + (node >> 8 & 255) + "." + (node & 255);
      DatanodeID id =
          new DatanodeID(
              address,
              RackOfName.hostName(node, shape),
              shape.label() + "-" + node,
              9866,
              9864,
              9865,
              9867);
      DatanodeRegistration registration =
          new DatanodeRegistration(
              id,
              new StorageInfo(
                  DataNodeLayoutVersion.getCurrentLayoutVersion(),
                  namespace.getNamespaceID(),
                  namespace.getClusterID(),
                  namespace.getCTime(),
                  HdfsServerConstants.NodeType.DATA_NODE),
              ExportedBlockKeys.DUMMY_KEYS,
              VersionInfo.getVersion());
      numbersOfNodes.put(id.getDatanodeUuid(), node);
      registrations.add(nameNode.getRpcServer().registerDatanode(registration));
      nodes.add(blocks.getDatanodeManager().getDatanode(id.getDatanodeUuid()));
      heartbeat(node, 1 + random.nextInt(3));
    }
  }

  private void heartbeat(int node, int transfers) throws IOException {
    String uuid = registrations.get(node).getDatanodeUuid();
    List<StorageReport> reports = new ArrayList<>();
    reports.add(report(uuid + "-a", StorageType.DISK));
    reports.add(report(uuid + "-b", StorageType.DISK));
    if (node % 3 != 2) {
      reports.add(report(uuid + "-c", node % 3 == 0 ? StorageType.SSD : StorageType.ARCHIVE));
    }
    nameNode
        .getRpcServer()
        .sendHeartbeat(
            registrations.get(node),
            reports.toArray(StorageReport[]::new),
            0,
            0,
            0,
            transfers,
            0,
            null,
            false,
            SlowPeerReports.EMPTY_REPORT,
            SlowDiskReports.EMPTY_REPORT);
    nodes.get(node).setLastUpdateMonotonic(Time.monotonicNow() + FUTURE_MILLIS);
  }

  private StorageReport report(String id, StorageType type) {
    long used = (long) (random.nextDouble() * USED_SHARE_MAX * VOLUME_BYTES);
    DatanodeStorage storage = new DatanodeStorage(id, DatanodeStorage.State.NORMAL, type);
    return new StorageReport(storage, false, VOLUME_BYTES, used, VOLUME_BYTES - used, used, 0);
  }

  /** Makes every tenth node unusable, or all usable again. */
  void setUnusable(boolean unusable) throws IOException {
    for (int node = 0; node < nodes.size(); node += 10) {
      DatanodeDescriptor descriptor = nodes.get(node);
      descriptor.stopDecommission();
      descriptor.stopMaintenance();
      heartbeat(node, 2);
      if (unusable) {
        switch (node / 10 % 4) {
          case 0 -> heartbeat(node, TRANSFERS_OVERLOADED);
          case 1 -> descriptor.startDecommission();
          case 2 -> descriptor.startMaintenance();
          default -> descriptor.setLastUpdateMonotonic(Time.monotonicNow() - 2 * STALE_MILLIS);
        }
      }
    }
  }

  static boolean isMadeUnusable(int node) {
    return node % 10 == 0;
  }

  /** Waits until the plug-in has looked at the cluster as it is now. */
  void awaitView() throws IOException {
    long until = looks() + LOOKS_TO_SETTLE;
    while (looks() < until) {
      LockSupport.parkNanos(20_000_000L);
    }
  }

  private static long looks() throws IOException {
    try {
      ObjectName bean = new ObjectName("Hadoop:service=NameNode,name=TierwisePlacement");
      return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "ViewLooks");
    } catch (JMException e) {
      throw new IOException("the plug-in shows no JMX bean", e);
    }
  }

  @Override
  public void close() {
    nameNode.stop();
    nameNode.join();
    FileUtil.fullyDelete(folder.toFile());
  }
}
