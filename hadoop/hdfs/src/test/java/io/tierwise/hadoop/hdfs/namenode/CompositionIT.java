package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.blockmanagement.ComposedPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A cluster keeps the placement class that it had before ours, with all that the class promises.
 */
class CompositionIT {
  private static final int BLOCKS = 12;
  private static final String KEY = "tierwise.placement.unmanaged.classname";

  @Test
  void upgradeDomainsHoldOnEveryPath() throws Exception {
    java.nio.file.Path hosts = Files.createTempFile("tierwise-hosts", ".json");
    Configuration conf = settings(BlockPlacementPolicyWithUpgradeDomain.class.getName());
    conf.setClass(
        DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY,
        CombinedHostFileManager.class,
        Object.class);
    conf.set(DFSConfigKeys.DFS_HOSTS, hosts.toString());
    try (TieredCluster cluster =
        TieredCluster.start(conf, "/r1", "/r1", "/r1", "/r2", "/r2", "/r2")) {
      Files.writeString(hosts, hostsWithDomains(cluster), StandardCharsets.UTF_8);
      cluster.mini().getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(conf);
      Path plain = new Path(cluster.directory("/plain", null), "file");
      Path managed = new Path(cluster.directory("/managed", "hybrid"), "file");
      for (Path file : List.of(plain, managed)) {
        cluster.write(file, BLOCKS, 3);
        assertDistinct(cluster, file, 3, DatanodeInfo::getUpgradeDomain);
      }
      assertThat(cluster.tiersOfBlocks(plain)).containsOnly("middle middle middle");
      assertThat(cluster.tiersOfBlocks(managed)).containsOnly("fast middle slow");
      cluster.replicate(6, plain, managed);
      cluster.replicate(3, plain, managed);
      for (Path file : List.of(plain, managed)) {
        assertDistinct(cluster, file, 3, DatanodeInfo::getUpgradeDomain);
        cluster.assertWhole(file, BLOCKS);
      }
      assertThat(cluster.tiersOfBlocks(managed)).containsOnly("fast middle slow");
      assertNothingIsCopied(cluster, plain, managed);
      assertThat(cluster.counters().stockCount(StockReason.ERROR)).isZero();
    }
  }

  /**
   * The tier that the policy wants is in two of the three domains alone. Long: make test has
   * domains on every path.
   */
  @Tag("long")
  @Test
  void domainsHoldAgainstALayoutThatWouldBreakThem() throws Exception {
    java.nio.file.Path hosts = Files.createTempFile("tierwise-hosts", ".json");
    Configuration conf = settings(BlockPlacementPolicyWithUpgradeDomain.class.getName());
    conf.setClass(
        DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY,
        CombinedHostFileManager.class,
        Object.class);
    conf.set(DFSConfigKeys.DFS_HOSTS, hosts.toString());
    StorageType[] fast = {StorageType.SSD};
    StorageType[] middle = {StorageType.DISK};
    String[] racks = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"};
    StorageType[][] types = {fast, fast, middle, fast, middle, middle};
    try (TieredCluster cluster = TieredCluster.start(conf, racks, types, null)) {
      Files.writeString(hosts, hostsWithDomains(cluster), StandardCharsets.UTF_8);
      cluster.mini().getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(conf);
      Path file = new Path(cluster.directory("/managed", "layout:3 x fast"), "file");
      cluster.write(file, BLOCKS, 3);
      cluster.replicate(6, file);
      cluster.replicate(3, file);
      assertDistinct(cluster, file, 3, DatanodeInfo::getUpgradeDomain);
      assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast fast middle");
      assertNothingIsCopied(cluster, file);
    }
  }

  @Test
  void spreadOfTheClusterClassHoldsOnEveryPath() throws Exception {
    assertSpreadHoldsOnEveryPath(BlockPlacementPolicyWithNodeGroup.class);
  }

  /** Long: make test has the class that knows node groups, too. */
  @Tag("long")
  @Test
  void spreadOverRacksHoldsOnEveryPath() throws Exception {
    assertSpreadHoldsOnEveryPath(BlockPlacementPolicyRackFaultTolerant.class);
  }

  private static void assertSpreadHoldsOnEveryPath(Class<?> rule) throws Exception {
    Configuration conf = settings(rule.getName());
    boolean grouped = rule == BlockPlacementPolicyWithNodeGroup.class;
    try (TieredCluster cluster =
        grouped
            ? startWithNodeGroups(conf)
            : TieredCluster.start(conf, "/r1", "/r1", "/r2", "/r2", "/r3", "/r3")) {
      Path plain = new Path(cluster.directory("/plain", null), "file");
      Path managed = new Path(cluster.directory("/managed", "hybrid"), "file");
      for (Path file : List.of(plain, managed)) {
        cluster.write(file, BLOCKS, 3);
        assertDistinct(cluster, file, 3, DatanodeInfo::getNetworkLocation);
      }
      cluster.replicate(2, plain, managed);
      for (Path file : List.of(plain, managed)) {
        assertDistinct(cluster, file, 2, node -> node.getNetworkLocation().substring(0, 3));
        cluster.assertWhole(file, BLOCKS);
      }
      assertNothingIsCopied(cluster, plain, managed);
      assertThat(cluster.counters().stockCount(StockReason.ERROR)).isZero();
    }
  }

  @Test
  void aClassThatIsGoneIsSaidAndTheDefaultOneDecides() throws Exception {
    Configuration conf = settings("com.example.GoneAfterAnUpgrade");
    try (LogLines log = new LogLines(ComposedPlacementPolicy.class);
        TieredCluster cluster = TieredCluster.start(conf, "/r1", "/r1", "/r2")) {
      assertThat(log.with(KEY))
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line).contains("GoneAfterAnUpgrade").doesNotContain("\n"));
      TierwisePlacementPolicy policy = policyOf(cluster);
      assertThat(policy.unmanaged()).isExactlyInstanceOf(BlockPlacementPolicyDefault.class);
      Path plain = new Path(cluster.directory("/plain", null), "file");
      Path managed = new Path(cluster.directory("/managed", "hybrid"), "file");
      Path unknown = new Path(cluster.directory("/unknown", "policy-that-left:x=1"), "file");
      for (Path file : List.of(plain, managed, unknown)) {
        cluster.write(file, 2, 3);
        cluster.assertWhole(file, 2);
      }
      assertThat(cluster.tiersOfBlocks(managed)).containsOnly("fast middle slow");
      assertThat(cluster.tiersOfBlocks(unknown)).containsOnly("middle middle middle");
      assertThat(cluster.counters().stockCount(StockReason.BAD_SPECIFICATION)).isPositive();
    }
  }

  @Test
  void settingsAtRunTimeReachTheClusterClassAsWell() {
    TierwisePlacementPolicy policy =
        policyFor(AvailableSpaceBlockPlacementPolicy.class.getName(), null);
    assertThat(policy.unmanaged()).isExactlyInstanceOf(AvailableSpaceBlockPlacementPolicy.class);
    policy.setMinBlocksForWrite(3);
    policy.setExcludeSlowNodesEnabled(true);
    assertThat(policy.unmanaged().getMinBlocksForWrite()).isEqualTo(3);
    assertThat(policy.unmanaged().getExcludeSlowNodesEnabled()).isTrue();
  }

  @Test
  void ourOwnClassIsNoClassForUnmanagedFilesNorForStripedOnes() {
    try (LogLines log = new LogLines(ComposedPlacementPolicy.class)) {
      String ours = TierwisePlacementPolicy.class.getName();
      TierwisePlacementPolicy policy = policyFor(ours, ours);
      assertThat(policy.unmanaged()).isExactlyInstanceOf(BlockPlacementPolicyDefault.class);
      assertThat(log.with(KEY + " = " + ours)).isNotEmpty();
      assertThat(log.with(DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY)).isNotEmpty();
    }
  }

  /** As the Balancer makes it. */
  private static TierwisePlacementPolicy policyFor(String unmanagedClass, String stripedClass) {
    Configuration conf = new Configuration(false);
    conf.set(KEY, unmanagedClass);
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    if (stripedClass != null) {
      conf.set(DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY, stripedClass);
    }
    return (TierwisePlacementPolicy)
        new BlockPlacementPolicies(conf, null, NetworkTopology.getInstance(conf), null)
            .getPolicy(BlockType.CONTIGUOUS);
  }

  private static Configuration settings(String unmanagedClass) throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.set(KEY, unmanagedClass);
    return conf;
  }

  /** Node groups need Hadoop's tree for them, which rules out the one that plug-ins can order. */
  private static TieredCluster startWithNodeGroups(Configuration conf) throws IOException {
    conf.setBoolean(DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY, false);
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_IMPL_KEY,
        NetworkTopologyWithNodeGroup.class,
        NetworkTopology.class);
    return TieredCluster.start(conf, "/r1/g1", "/r1/g1", "/r1/g2", "/r2/g3", "/r2/g3", "/r2/g4");
  }

  private static TierwisePlacementPolicy policyOf(TieredCluster cluster) {
    return (TierwisePlacementPolicy)
        cluster.mini().getNamesystem().getBlockManager().getBlockPlacementPolicy();
  }

  /** Two nodes in each domain, in different racks. */
  private static String hostsWithDomains(TieredCluster cluster) {
    List<String> lines = new ArrayList<>();
    for (DataNode node : cluster.mini().getDataNodes()) {
      lines.add(
          "{\"hostName\": \"%s\", \"port\": %d, \"upgradeDomain\": \"domain-%d\"}"
              .formatted(
                  node.getDatanodeId().getIpAddr(),
                  node.getDatanodeId().getXferPort(),
                  lines.size() % 3));
    }
    return "[" + String.join(",\n", lines) + "]";
  }

  private static void assertDistinct(
      TieredCluster cluster, Path file, int count, Function<DatanodeInfo, String> domain)
      throws IOException {
    for (LocatedBlock block : cluster.blocks(file)) {
      assertThat(Arrays.stream(block.getLocations()).map(domain).distinct())
          .as("domains of %s", block)
          .hasSize(count);
    }
  }

  /** The NameNode asks the same question before it copies a block for the sake of its place. */
  private static void assertNothingIsCopied(TieredCluster cluster, Path... files)
      throws IOException {
    for (Path file : files) {
      int replicas = cluster.files().getFileStatus(file).getReplication();
      for (LocatedBlock block : cluster.blocks(file)) {
        BlockPlacementStatus status =
            policyOf(cluster).verifyBlockPlacement(block.getLocations(), replicas);
        assertThat(status.isPlacementPolicySatisfied()).as(status.getErrorDescription()).isTrue();
      }
    }
    BlockManager blocks = cluster.mini().getNamesystem().getBlockManager();
    TieredCluster.await(
        "no block waits to be copied",
        () ->
            blocks.getLowRedundancyBlocksCount() + blocks.getPendingReconstructionBlocksCount()
                == 0);
  }
}
