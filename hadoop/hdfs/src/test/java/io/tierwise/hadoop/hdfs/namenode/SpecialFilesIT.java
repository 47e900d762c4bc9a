package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HDFS's other features on managed paths: what each does, as docs/reference/hdfs-tools.md says. */
class SpecialFilesIT {
  private static final String LAYOUT = "fast middle slow";
  private static final int BLOCK = TieredCluster.BLOCK_BYTES;

  private static TieredCluster cluster;
  private static Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        "jceks://file" + conf.get("hadoop.tmp.dir") + "/keys.jks");
    cluster = TieredCluster.start(conf, "/r1", "/r1", "/r2", "/r2", "/r2", "/r3", "/r3");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void appendedBlocksAreManagedAndWhatWasThereStays() throws IOException {
    Path file = cluster.write(new Path(cluster.directory("/append", "hybrid"), "file"), 2, 3);
    byte[] whole = TieredCluster.blocksOf(file, 4);
    try (FSDataOutputStream out = cluster.files().append(file)) {
      out.write(whole, 2 * BLOCK, 2 * BLOCK);
    }
    cluster.awaitReplicas(file, 3);
    assertThat(cluster.tiersOfBlocks(file)).hasSize(4).containsOnly(LAYOUT);
    assertThat(cluster.read(file)).isEqualTo(whole);
  }

  @Test
  void snapshotKeepsItsReplicasInTheirTiersAfterTheFileIsGone() throws IOException {
    Path directory = cluster.directory("/snapshots", "hybrid");
    Path file = cluster.write(new Path(directory, "file"), 2, 3);
    cluster.files().allowSnapshot(directory);
    Path snapshot = new Path(cluster.files().createSnapshot(directory, "s"), "file");
    cluster.files().delete(file, false);
    assertThat(cluster.tiersOfBlocks(snapshot)).containsOnly(LAYOUT);
    assertThat(cluster.read(snapshot)).isEqualTo(TieredCluster.blocksOf(file, 2));
  }

  @Test
  void movedFileFollowsThePolicyOfItsNewDirectoryFromTheNextBlockOn() throws IOException {
    Path file = cluster.write(new Path(cluster.directory("/from", "hybrid"), "file"), 1, 3);
    Path moved = new Path(cluster.directory("/to", "network-aware:tiers=slow"), "file");
    assertThat(cluster.files().rename(file, moved)).isTrue();
    try (FSDataOutputStream out = cluster.files().append(moved)) {
      out.write(new byte[BLOCK]);
    }
    cluster.awaitReplicas(moved, 3);
    assertThat(cluster.tiersOfBlocks(moved)).containsExactly(LAYOUT, "slow slow slow");
  }

  @Test
  void quotasCountByTheStoragePolicyAndNothingGoesPastThem() throws IOException {
    DistributedFileSystem files = cluster.files();
    Path directory = cluster.directory("/quota", "network-aware:tiers=fast");
    files.setStoragePolicy(directory, HdfsConstants.HOT_STORAGE_POLICY_NAME);
    files.setQuota(directory, 10, 100L * BLOCK);
    files.setQuotaByStorageType(directory, StorageType.SSD, 1);
    files.setQuotaByStorageType(directory, StorageType.DISK, 7L * BLOCK);
    Path file = cluster.write(new Path(directory, "fits"), 2, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
    assertThat(files.getQuotaUsage(directory).getTypeConsumed(StorageType.DISK))
        .isEqualTo(6L * BLOCK);
    assertThat(files.getQuotaUsage(directory).getTypeConsumed(StorageType.SSD)).isZero();
    assertThat(files.getQuotaUsage(directory).getSpaceConsumed()).isEqualTo(6L * BLOCK);
    assertThatThrownBy(() -> cluster.write(new Path(directory, "does-not-fit"), 1, 3))
        .isInstanceOf(QuotaByStorageTypeExceededException.class);
  }

  @Test
  void erasureCodedFilesBelowAManagedDirectoryAreStocks() throws IOException {
    DistributedFileSystem files = cluster.files();
    Path directory = cluster.directory("/erasure", "network-aware:tiers=slow");
    files.enableErasureCodingPolicy("XOR-2-1-1024k");
    files.setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    Path file = new Path(directory, "file");
    long decided = decisionsOf("network-aware:tiers=slow");
    byte[] content = TieredCluster.blocksOf(file, 40);
    try (FSDataOutputStream out = files.create(file, true, 4096, (short) 1, 1 << 20)) {
      out.write(content);
    }
    assertThat(cluster.blocks(file)).allMatch(LocatedBlock::isStriped);
    assertThat(cluster.read(file)).isEqualTo(content);
    assertThat(decisionsOf("network-aware:tiers=slow")).isEqualTo(decided);
  }

  private static long decisionsOf(String policy) {
    return cluster.counters().decisions().getOrDefault(policy, 0L);
  }

  @Test
  void encryptedFilesAreManaged() throws Exception {
    KeyProviderCryptoExtension provider = cluster.mini().getNamesystem().getProvider();
    KeyProvider.Options options = KeyProvider.options(conf);
    options.setBitLength(128);
    provider.createKey("key", options);
    provider.flush();
    cluster.files().getClient().setKeyProvider(provider);
    Path zone = cluster.directory("/zone", null);
    new HdfsAdmin(FileSystem.getDefaultUri(cluster.files().getConf()), cluster.files().getConf())
        .createEncryptionZone(zone, "key", EnumSet.noneOf(CreateEncryptionZoneFlag.class));
    cluster.setPolicy(zone, "hybrid");
    Path file = cluster.write(new Path(zone, "file"), 2, 3);
    assertThat(cluster.files().getFileEncryptionInfo(file)).isNotNull();
    assertThat(cluster.tiersOfBlocks(file)).containsOnly(LAYOUT);
    cluster.assertWhole(file, 2);
  }

  @Test
  void nodesThatTheClientNamesAreTaken() throws IOException {
    Path file = new Path(cluster.directory("/favored", "hybrid"), "file");
    InetSocketAddress[] named =
        cluster.mini().getDataNodes().subList(0, 3).stream()
            .map(node -> node.getXferAddress())
            .toArray(InetSocketAddress[]::new);
    try (FSDataOutputStream out =
        cluster
            .files()
            .create(
                file, FsPermission.getFileDefault(), true, 4096, (short) 3, BLOCK, null, named)) {
      out.write(new byte[BLOCK]);
    }
    cluster.awaitReplicas(file, 3);
    List<Integer> ports = List.of(named).stream().map(InetSocketAddress::getPort).toList();
    assertThat(cluster.blocks(file).get(0).getLocations())
        .allMatch(node -> ports.contains(node.getXferPort()));
  }

  @Test
  void lazilyPersistedFilesAreStocks() throws IOException {
    long before = cluster.counters().stockCount(StockReason.SPECIAL_STORAGE);
    Path file = new Path(cluster.directory("/lazy", "network-aware:tiers=slow"), "file");
    try (FSDataOutputStream out =
        cluster
            .files()
            .create(
                file,
                FsPermission.getFileDefault(),
                EnumSet.of(CreateFlag.CREATE, CreateFlag.LAZY_PERSIST),
                4096,
                (short) 1,
                BLOCK,
                null)) {
      out.write(new byte[BLOCK]);
    }
    cluster.awaitReplicas(file, 1);
    assertThat(cluster.tiersOfBlocks(file)).doesNotContain("slow");
    assertThat(cluster.counters().stockCount(StockReason.SPECIAL_STORAGE)).isEqualTo(before + 1);
  }

  @Test
  void nodeThatWritesForAWebHdfsClientIsChosenByThePolicyAndCountsForNoRatio() throws IOException {
    Path set = cluster.directory("/web", "zone-ratio:fast=0.5,middle+slow=0.5,scope=directory");
    BlockManager blocks = cluster.mini().getNamesystem().getBlockManager();
    for (int i = 0; i < 3; i++) {
      DatanodeStorageInfo[] gateway =
          blocks.chooseTarget4WebHDFS(set + "/file", null, new HashSet<>(), BLOCK);
      assertThat(gateway).hasSize(1);
      assertThat(gateway[0].getStorageType()).isEqualTo(StorageType.SSD);
    }
    Path file = cluster.write(new Path(set, "file"), 4, 1);
    assertThat(cluster.blocksIn("fast", file)).isEqualTo(2);
  }
}
