package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.util.Time;

/** A real HDFS with an SSD and a disk tier, by default with all defaults of HDFS as they are. */
final class LiveCluster implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 20;
  static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};

  private static final String TIERS =
      """
      tiers:
        - {name: ssd, match: {storage-type: SSD}}
        - {name: disk, match: {storage-type: DISK}}
      """;

  private final MiniDFSCluster mini;
  private final Configuration conf;

  /** Finds the active one of two NameNodes, or one of several; null where there is one. */
  private final DistributedFileSystem own;

  /**
   * @param own null for the mini cluster's only client
   */
  LiveCluster(MiniDFSCluster mini, Configuration conf, DistributedFileSystem own) {
    this.mini = mini;
    this.conf = conf;
    this.own = own;
  }

  /** Settings of a NameNode with the plug-in. */
  static Configuration withPlugin() throws IOException {
    Configuration conf = plain();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    return conf;
  }

  /** Settings of stock HDFS. */
  static Configuration plain() throws IOException {
    java.nio.file.Path folder = Files.createTempDirectory("tierwise-mover");
    Configuration conf = new HdfsConfiguration();
    conf.set(
        "tierwise.tiers.file", Files.writeString(folder.resolve("tiers.yaml"), TIERS).toString());
    conf.set("hadoop.tmp.dir", folder.toString());
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DU_RESERVED_KEY, 0);
    return conf;
  }

  /** HDFS drops and deletes at heartbeats: within a second, not three. */
  static void haveHdfsHurry(Configuration conf) {
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    // Silent after 12 s, as by default: what silent nodes hold goes first, whatever a layout wants.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_TOLERATE_HEARTBEAT_MULTIPLIER_KEY, 12);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
  }

  static LiveCluster start(
      Configuration conf, String[] racks, StorageType[][] types, long[][] capacities)
      throws IOException {
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-mini").toFile())
            .numDataNodes(racks.length)
            .racks(racks)
            .storagesPerDatanode(types[0].length)
            .storageTypes(types);
    if (capacities != null) {
      builder.storageCapacities(capacities);
      // The mini cluster's DataNodes keep no gigabyte free: its client is told the same.
      conf.setLong(KeptFree.DATA_NODE_KEY, 0);
    }
    // The mini cluster's own settings differ here from HDFS's.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, true);
    MiniDFSCluster mini = builder.build();
    mini.waitActive();
    LiveCluster cluster = new LiveCluster(mini, conf, null);
    cluster.tellOfVolumes();
    return cluster;
  }

  /** Two NameNodes, the first of them active, over nodes with an SSD and a disk each. */
  static LiveCluster pairOfNameNodes(Configuration conf, String... racks) throws IOException {
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-mini").toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(racks.length)
            .racks(racks)
            .storagesPerDatanode(BOTH.length)
            .storageTypes(BOTH)
            .build();
    mini.waitActive();
    mini.transitionToActive(0);
    try {
      return new LiveCluster(
          mini, conf, HATestUtil.configureFailoverFs(mini, new Configuration(conf)));
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Nodes with an SSD and a disk each. */
  static LiveCluster ofMixedNodes(Configuration conf, String... racks) throws IOException {
    StorageType[][] types = new StorageType[racks.length][];
    Arrays.fill(types, BOTH);
    return start(conf, racks, types, null);
  }

  /** Starts another node with an SSD and a disk of such capacities; its UUID. */
  String addNode(String rack, long... capacities) throws IOException {
    mini.startDataNodes(
        mini.getConfiguration(0),
        1,
        new StorageType[][] {BOTH},
        true,
        null,
        new String[] {rack},
        null,
        new long[][] {capacities},
        null,
        false,
        false,
        false,
        null,
        null,
        null);
    mini.waitActive();
    return mini.getDataNodes().get(mini.getDataNodes().size() - 1).getDatanodeUuid();
  }

  MiniDFSCluster mini() {
    return mini;
  }

  /** From now on that is the capacity of a node. */
  void setCapacity(int node, long bytes) throws IOException {
    DataNode changed = mini.getDataNodes().get(node);
    try (FsDatasetSpi.FsVolumeReferences volumes = changed.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        ((FsVolumeImpl) volume).setCapacityForTesting(bytes);
      }
    }
    tellOfVolumes(changed);
  }

  /** Nodes tell the NameNode how full their volumes are; it knows when this returns. */
  void tellOfVolumes() throws IOException {
    for (DataNode node : mini.getDataNodes()) {
      tellOfVolumes(node);
    }
  }

  /**
   * Hadoop waits until a heartbeat begins, and not until it is handled: the second one begins after
   * that.
   */
  private static void tellOfVolumes(DataNode node) throws IOException {
    DataNodeTestUtils.triggerHeartbeat(node);
    DataNodeTestUtils.triggerHeartbeat(node);
  }

  /**
   * The node stops, and the NameNode gives it up: again, where a heartbeat came that was on its
   * way.
   */
  DataNodeProperties lose(int node) throws IOException {
    DatanodeDescriptor lost = descriptor(node);
    DataNodeProperties stopped = mini.stopDataNode(node);
    BlockManager blocks = mini.getNamesystem().getBlockManager();
    await(
        "a dead node",
        () -> {
          DFSTestUtil.setDatanodeDead(lost);
          BlockManagerTestUtil.checkHeartbeat(blocks);
          return !lost.isAlive();
        });
    return stopped;
  }

  /** The node begins to leave, or stays after all. */
  void setLeaving(int node, boolean leaving) throws IOException {
    DatanodeDescriptor descriptor = descriptor(node);
    changeNodes(
        admin -> {
          if (leaving) {
            admin.startDecommission(descriptor);
          } else {
            admin.stopDecommission(descriptor);
          }
        });
  }

  /** Under the lock of the NameNode, as it calls its own parts: it may look at them meanwhile. */
  private void changeNodes(Consumer<DatanodeAdminManager> change) {
    mini.getNamesystem().writeLock();
    try {
      change.accept(nodes().getDatanodeAdminManager());
    } finally {
      mini.getNamesystem().writeUnlock("test");
    }
  }

  private DatanodeManager nodes() {
    return mini.getNamesystem().getBlockManager().getDatanodeManager();
  }

  private DatanodeDescriptor descriptor(int node) throws IOException {
    return nodes().getDatanode(mini.getDataNodes().get(node).getDatanodeId());
  }

  /** The node goes into maintenance for an hour, or comes back. */
  void setInMaintenance(int node, boolean begins) throws IOException {
    DatanodeDescriptor descriptor = descriptor(node);
    long until = Time.now() + TimeUnit.HOURS.toMillis(1);
    changeNodes(
        admin -> {
          if (begins) {
            admin.startMaintenance(descriptor, until);
          } else {
            admin.stopMaintenance(descriptor);
          }
        });
  }

  /** What the NameNode has a node for. */
  AdminStates state(int node) throws IOException {
    return descriptor(node).getAdminState();
  }

  DistributedFileSystem fs() throws IOException {
    return own != null ? own : mini.getFileSystem();
  }

  Path write(String path, int blocks, int replicas) throws IOException {
    Path file = new Path(path);
    try (FSDataOutputStream out = fs().create(file, true, 4096, (short) replicas, BLOCK_BYTES)) {
      out.write(content(file, blocks));
    }
    await(
        "all replicas of " + path,
        () -> blocks(file).stream().allMatch(b -> b.getLocations().length == replicas));
    return file;
  }

  private static byte[] content(Path file, int blocks) {
    byte[] content = new byte[blocks * BLOCK_BYTES];
    new Random(file.getName().hashCode()).nextBytes(content);
    return content;
  }

  /** Reads a file and compares its checksum with what was written. */
  void assertWhole(Path file, int blocks) throws IOException {
    try (FSDataInputStream in = fs().open(file)) {
      assertThat(crc(in.readAllBytes())).as("%s", file).isEqualTo(crc(content(file, blocks)));
    }
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  List<LocatedBlock> blocks(Path file) throws IOException {
    return DFSTestUtil.getAllBlocks(fs(), file);
  }

  /** The storage types of each block's replicas, sorted. */
  List<String> typesOf(Path file) throws IOException {
    return blocks(file).stream()
        .map(
            block ->
                String.join(
                    " ", Arrays.stream(block.getStorageTypes()).map(Enum::name).sorted().toList()))
        .toList();
  }

  void setPolicy(String path, String policy) throws IOException {
    fs().mkdirs(new Path(path));
    fs().setXAttr(
            new Path(path), "user.tierwise.placement", policy.getBytes(StandardCharsets.UTF_8));
  }

  /** Gives a path so many attributes of somebody else's. */
  static void fillAttributes(DistributedFileSystem fs, Path path, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      fs.setXAttr(path, "user.other." + i, new byte[] {1});
    }
  }

  MoverCluster cluster() throws IOException {
    return MoverCluster.of(fs(), clientConf());
  }

  Configuration clientConf() throws IOException {
    Configuration client = new Configuration(fs().getConf());
    client.set("tierwise.tiers.file", conf.get("tierwise.tiers.file"));
    return client;
  }

  /** An order to give all below a path a layout, or that of its policy for an empty one. */
  MoveOrder order(String layout, String... paths) throws IOException {
    Optional<PlacementPolicy> wanted =
        layout.isEmpty()
            ? Optional.empty()
            : Optional.of(PlacementPolicies.parse(layout, cluster().tiers().table()));
    return new MoveOrder(List.of(paths), wanted);
  }

  /** Rates and room that a test on one machine does not feel. */
  static MoverSettings quick() {
    return MoverSettings.DEFAULT.atRates(1L << 40, 1L << 40).keepingFree(0);
  }

  MoverReport move(MoverSettings settings, MoveOrder order) throws IOException {
    try (Mover mover = Mover.open(cluster(), settings)) {
      return mover.run(order, Listener.Step.SILENT);
    }
  }

  /** Does something once, when so many replicas are in place. */
  static Listener.Step at(int replicas, Runnable action) {
    return new SteppedProgress(
        count -> {
          if (count == replicas) {
            action.run();
          }
        });
  }

  interface Check {
    boolean holds() throws IOException;
  }

  /** Waits until something holds, at most a minute. */
  static void await(String what, Check check) throws IOException {
    await(what, check, 60);
  }

  static void await(String what, Check check, int seconds) throws IOException {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    while (!check.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + seconds + " s: " + what);
      }
      LockSupport.parkNanos(20_000_000L);
    }
  }

  @Override
  public void close() {
    mini.shutdown(true);
  }
}
