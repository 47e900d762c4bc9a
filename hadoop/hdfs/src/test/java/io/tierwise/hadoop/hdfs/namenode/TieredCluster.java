package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.CompletionPolls;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** A small real HDFS with tiers, and the questions that tests ask of it. */
final class TieredCluster implements AutoCloseable {
  static final int BLOCK_BYTES = 64 * 1024;
  static final String ATTRIBUTE = "user.tierwise.placement";

  /** Three tiers by storage type; fast, middle, slow. */
  static final String THREE_TIERS =
      """
      tiers:
        - name: fast
          match: {storage-type: SSD}
        - name: middle
          match: {storage-type: DISK}
        - name: slow
          match: {storage-type: ARCHIVE}
      """;

  private static final int WAIT_SECONDS_MAX = 60;
  private static final List<StorageType> TYPES_OF_TIERS =
      List.of(StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);

  private final MiniDFSCluster cluster;
  private int nameNode;

  private TieredCluster(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /** Settings with the plug-ins; all else but {@link CompletionPolls} is as Hadoop has it. */
  private static Configuration plugInsOnly(String tiersYaml) throws IOException {
    java.nio.file.Path folder = Files.createTempDirectory("tierwise-namenode");
    java.nio.file.Path tiers = folder.resolve("tiers.yaml");
    Files.writeString(tiers, tiersYaml, StandardCharsets.UTF_8);
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.set("hadoop.tmp.dir", folder.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    CompletionPolls.shorten(conf);
    return conf;
  }

  /** Settings with the plug-ins, quick heartbeats and small blocks. */
  static Configuration settings(String tiersYaml) throws IOException {
    Configuration conf = plugInsOnly(tiersYaml);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 2);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DU_RESERVED_KEY, 0);
    repairAtOnce(conf);
    return conf;
  }

  /**
   * HDFS copies two blocks a node and second, and drops replicas on a third of the nodes a second,
   * so that readers notice little of it. Nobody reads here meanwhile.
   */
  private static void repairAtOnce(Configuration conf) {
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION, 100);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 100);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 200);
    conf.setFloat(DFSConfigKeys.DFS_NAMENODE_INVALIDATE_WORK_PCT_PER_ITERATION, 1);
  }

  /** As many nodes as racks are named, each with one volume of every storage type of the tiers. */
  static TieredCluster start(Configuration conf, String... racks) throws IOException {
    StorageType[][] types = new StorageType[racks.length][];
    Arrays.fill(types, TYPES_OF_TIERS.toArray(new StorageType[0]));
    return start(conf, racks, types, null);
  }

  static TieredCluster start(
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
    }
    return start(builder);
  }

  /** A pair of NameNodes, the first of them active, over nodes with one volume of every tier. */
  static TieredCluster startPair(Configuration conf, String... racks) throws IOException {
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-mini").toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(racks.length)
            .racks(racks)
            .storagesPerDatanode(TYPES_OF_TIERS.size())
            .storageTypes(TYPES_OF_TIERS.toArray(new StorageType[0]));
    TieredCluster started = new TieredCluster(builder.build());
    started.cluster.waitActive();
    started.cluster.transitionToActive(0);
    return started;
  }

  /**
   * A cluster of which nothing but the plug-ins and {@link CompletionPolls} is set: heartbeats,
   * block size, load and all.
   */
  static TieredCluster startWithStockDefaults(
      String tiersYaml, String[] racks, StorageType[][] types) throws IOException {
    return startWithStockDefaults(tiersYaml, racks, types, null);
  }

  static TieredCluster startWithStockDefaults(
      String tiersYaml, String[] racks, StorageType[][] types, long[][] capacities)
      throws IOException {
    Configuration conf = plugInsOnly(tiersYaml);
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-mini").toFile())
            .numDataNodes(racks.length)
            .racks(racks)
            .storagesPerDatanode(types[0].length)
            .storageTypes(types);
    if (capacities != null) {
      builder.storageCapacities(capacities);
    }
    StockDefaults.restore(conf);
    return start(builder);
  }

  private static TieredCluster start(MiniDFSCluster.Builder builder) throws IOException {
    TieredCluster started = new TieredCluster(builder.build());
    started.cluster.waitActive();
    return started;
  }

  /** Adds a node with one volume of every tier; its id. */
  String addNode(String rack, long[] capacities) throws IOException {
    cluster.startDataNodes(
        cluster.getConfiguration(0),
        1,
        new StorageType[][] {TYPES_OF_TIERS.toArray(new StorageType[0])},
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
    cluster.waitActive();
    return cluster.getDataNodes().get(cluster.getDataNodes().size() - 1).getDatanodeUuid();
  }

  MiniDFSCluster mini() {
    return cluster;
  }

  /** From now on talks to that one of the NameNodes. */
  void useNameNode(int index) {
    nameNode = index;
  }

  /** The one that this talks to. */
  int nameNode() {
    return nameNode;
  }

  /** Changes the nodes under the NameNode's lock, as it calls its own parts. */
  void changeNodes(Consumer<DatanodeAdminManager> change) {
    FSNamesystem namesystem = mini().getNamesystem();
    namesystem.writeLock();
    try {
      change.accept(namesystem.getBlockManager().getDatanodeManager().getDatanodeAdminManager());
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  DistributedFileSystem files() throws IOException {
    return cluster.getFileSystem(nameNode);
  }

  PlacementHost host() {
    return hostOf(cluster.getNameNode(nameNode));
  }

  /** The host that the plug-in of that NameNode made. */
  static PlacementHost hostOf(NameNode nameNode) {
    TierwiseNameNodePlugin plugin = pluginOf(nameNode);
    return plugin == null ? null : plugin.host();
  }

  /** The monitor of the NameNode that this talks to. */
  Monitor monitor() {
    return pluginOf(cluster.getNameNode(nameNode)).monitor();
  }

  private static TierwiseNameNodePlugin pluginOf(NameNode nameNode) {
    try {
      Field plugins = NameNode.class.getDeclaredField("plugins");
      plugins.setAccessible(true);
      for (Object plugin : (List<?>) plugins.get(nameNode)) {
        if (plugin instanceof TierwiseNameNodePlugin ours) {
          return ours;
        }
      }
      return null;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  PlacementCounters counters() {
    return host().counters();
  }

  Path directory(String path, String policy) throws IOException {
    Path directory = new Path(path);
    files().mkdirs(directory);
    if (policy != null) {
      setPolicy(directory, policy);
    }
    return directory;
  }

  void setPolicy(Path path, String policy) throws IOException {
    files()
        .setXAttr(
            path,
            ATTRIBUTE,
            policy.getBytes(StandardCharsets.UTF_8),
            EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  /** The first {@code blocks} blocks of the bytes that {@link #assertWhole} expects of a file. */
  static byte[] blocksOf(Path file, int blocks) {
    return content(file, blocks * BLOCK_BYTES);
  }

  /** Writes random bytes that {@link #assertWhole} knows again. */
  Path write(Path file, int blocks, int replication) throws IOException {
    try (FSDataOutputStream out =
        files().create(file, true, 4096, (short) replication, BLOCK_BYTES)) {
      out.write(blocksOf(file, blocks));
    }
    awaitReplicas(file, Math.min(replication, cluster.getDataNodes().size()));
    return file;
  }

  /** Gives files so many replicas, all at once: each step takes HDFS some seconds. */
  void replicate(int replicas, Path... replicated) throws IOException {
    for (Path file : replicated) {
      files().setReplication(file, (short) replicas);
    }
    for (Path file : replicated) {
      awaitReplicas(file, replicas);
    }
  }

  /** A closed file is complete with one reported replica; the others are reported soon after. */
  void awaitReplicas(Path file, int replicas) {
    await(
        replicas + " replicas of each block of " + file,
        () -> blocks(file).stream().allMatch(block -> block.getLocations().length == replicas));
  }

  private static byte[] content(Path file, int bytes) {
    byte[] content = new byte[bytes];
    new Random(file.getName().hashCode()).nextBytes(content);
    return content;
  }

  byte[] read(Path file) throws IOException {
    try (FSDataInputStream in = files().open(file)) {
      return in.readAllBytes();
    }
  }

  /** Reads the file from HDFS and compares its checksum with what was written. */
  void assertWhole(Path file, int blocks) throws IOException {
    byte[] read = read(file);
    assertThat(read).hasSize(blocks * BLOCK_BYTES);
    assertThat(crc(read)).isEqualTo(crc(blocksOf(file, blocks)));
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  List<LocatedBlock> blocks(Path file) throws IOException {
    return DFSTestUtil.getAllBlocks(files(), file);
  }

  /** The tiers of a block's replicas, sorted, such as {@code fast middle slow}. */
  static String tiers(LocatedBlock block) {
    List<String> names = new ArrayList<>();
    for (StorageType type : block.getStorageTypes()) {
      int tier = TYPES_OF_TIERS.indexOf(type);
      names.add(
          tier < 0
              ? type.name().toLowerCase(Locale.ROOT)
              : List.of("fast", "middle", "slow").get(tier));
    }
    names.sort(null);
    return String.join(" ", names);
  }

  /** How many blocks have all their replicas in {@code tier}. */
  long blocksIn(String tier, Path file) throws IOException {
    return tiersOfBlocks(file).stream()
        .filter(tiers -> List.of(tiers.split(" ")).stream().allMatch(tier::equals))
        .count();
  }

  List<String> tiersOfBlocks(Path file) throws IOException {
    return blocks(file).stream().map(TieredCluster::tiers).toList();
  }

  static long racks(LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .map(DatanodeInfoWithStorage::getNetworkLocation)
        .distinct()
        .count();
  }

  /** Waits until {@code condition} holds, at most a minute. */
  static void await(String what, Check condition) {
    long end = System.nanoTime() + WAIT_SECONDS_MAX * 1_000_000_000L;
    Throwable last = null;
    while (System.nanoTime() < end) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (IOException e) {
        last = e;
      }
      LockSupport.parkNanos(50_000_000L);
    }
    throw new AssertionError("not within " + WAIT_SECONDS_MAX + " s: " + what, last);
  }

  /** A {@link BooleanSupplier} that may talk to HDFS. */
  @FunctionalInterface
  interface Check {
    boolean holds() throws IOException;
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
