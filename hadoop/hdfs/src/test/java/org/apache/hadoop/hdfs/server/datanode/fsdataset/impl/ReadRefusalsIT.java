package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import io.tierwise.hadoop.hdfs.client.ReadCounts;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.datanode.DataNodeKeys;
import io.tierwise.hadoop.hdfs.datanode.ReadAdmission;
import io.tierwise.hadoop.hdfs.datanode.StorageIdVolumeChoosingPolicy;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits on readers at real DataNodes: who is refused, who never is, and that nobody starves. */
class ReadRefusalsIT {
  private static final int BLOCKS = 6;
  private static final int FILE_BYTES = BLOCKS * MiniHdfs.BLOCK_BYTES;

  /** A refusal that a busy machine brings late is one still. */
  private static final String PROMPT_MILLIS = "60000";

  private MiniHdfs hdfs;
  private byte[] data;

  @AfterEach
  void stop() {
    if (hdfs != null) {
      hdfs.close();
    }
  }

  /** One SSD node and three disk nodes; a file with one replica on the SSD and two on disks. */
  private void start(String... settings) throws IOException {
    Configuration conf = MiniHdfs.configuration();
    conf.set(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY, TierwiseDatasetFactory.class.getName());
    conf.set(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY,
        StorageIdVolumeChoosingPolicy.class.getName());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    hdfs =
        MiniHdfs.start(
            conf,
            new StorageType[] {
              StorageType.SSD, StorageType.DISK, StorageType.DISK, StorageType.DISK
            },
            new String[] {"/rack0", "/rack0", "/rack1", "/rack1"});
    hdfs.stock().mkdirs(new Path("/mixed"));
    hdfs.stock().setStoragePolicy(new Path("/mixed"), "ONE_SSD");
    data = hdfs.write("/mixed/file", FILE_BYTES, 3);
  }

  private ReadAdmission admission(int node) {
    FsDatasetImpl dataset = (FsDatasetImpl) hdfs.cluster().getDataNodes().get(node).getFSDataset();
    return ((TierwiseDatasetFactory.CountingDataset) dataset).admission();
  }

  private TierwiseFileSystem greedyThatAsksAgain() throws IOException {
    return client("sbd");
  }

  private TierwiseFileSystem client(String strategy) throws IOException {
    return hdfs.client(
        ClientKeys.STRATEGY,
        strategy,
        ClientKeys.LOCATION,
        "/rack1/host2",
        ClientKeys.PROMPT_MILLIS,
        PROMPT_MILLIS,
        ClientKeys.STATISTICS,
        "true");
  }

  private static byte[] read(FileSystem client) throws IOException {
    try (FSDataInputStream in = client.open(new Path("/mixed/file"))) {
      return in.readAllBytes();
    }
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  @Test
  void twelveReadersBeyondALimitOfTwoAreRefusedAndAllReadTheSameData() throws Exception {
    start(DataNodeKeys.TIER_READERS_PREFIX + "ssd", "2");
    int readers = 12;
    ExecutorService pool = Executors.newFixedThreadPool(readers);
    try (TierwiseFileSystem shared = greedyThatAsksAgain()) {
      CountDownLatch together = new CountDownLatch(readers);
      List<Future<byte[]>> reads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        Callable<byte[]> read =
            () -> {
              // Each a client of its own, as the tasks of a job are.
              try (TierwiseFileSystem client = greedyThatAsksAgain();
                  FSDataInputStream in = client.open(new Path("/mixed/file"))) {
                together.countDown();
                together.await(60, TimeUnit.SECONDS);
                return in.readAllBytes();
              }
            };
        reads.add(pool.submit(read));
      }
      for (Future<byte[]> read : reads) {
        assertThat(read.get(120, TimeUnit.SECONDS)).isEqualTo(data);
      }
      assertThat(admission(0).refusalCount()).isPositive();
      assertThat(admission(0).peakReadersOfAVolume()).isGreaterThanOrEqualTo(2);
      assertThat(admission(1).refusalCount()).isZero();
      await("readers are counted down", () -> admission(0).readerCount() == 0);
      assertThat(read(shared)).isEqualTo(data);
      assertThat(shared.readStatistics().orElseThrow().bytesOf("ssd")).isEqualTo(FILE_BYTES);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aRefusedBlockIsReadElsewhereAndTheFastNodeIsAskedAgainForTheNext() throws Exception {
    start(DataNodeKeys.TIER_READERS_PREFIX + "ssd", "0");
    try (TierwiseFileSystem client = greedyThatAsksAgain()) {
      assertThat(read(client)).isEqualTo(data);
      ReadCounts counts = client.readStatistics().orElseThrow();
      assertThat(counts.refusals()).isEqualTo(BLOCKS);
      assertThat(counts.failures()).isZero();
      assertThat(counts.bytesOf("disk")).isEqualTo(FILE_BYTES);
      assertThat(admission(0).refusalCount()).isEqualTo(BLOCKS);
      byte[] block = new byte[100];
      try (FSDataInputStream in = client.open(new Path("/mixed/file"))) {
        for (int i = 0; i < BLOCKS; i++) {
          in.readFully((long) i * MiniHdfs.BLOCK_BYTES, block);
        }
      }
      // The client comes back to each block, so it is served there by the rule.
      assertThat(client.readStatistics().orElseThrow().totalBytes())
          .isEqualTo(FILE_BYTES + 100L * BLOCKS);
    }
    try (TierwiseFileSystem stockRule = client("greedy")) {
      assertThat(read(stockRule)).isEqualTo(data);
      assertThat(stockRule.readStatistics().orElseThrow().refusals()).isEqualTo(1);
    }
  }

  @Test
  void whenAllReplicasRefuseTheReadCompletesAfterEachWasAskedTwiceAtMost() throws Exception {
    start(DataNodeKeys.VOLUME_READERS, "0");
    try (TierwiseFileSystem client = greedyThatAsksAgain()) {
      assertThat(read(client)).isEqualTo(data);
      ReadCounts counts = client.readStatistics().orElseThrow();
      assertThat(counts.refusals()).isBetween((long) BLOCKS, 3L * BLOCKS);
    }
    long served = 0;
    for (int node = 0; node < 4; node++) {
      served += admission(node).servedAfterRefusalCount();
    }
    assertThat(served).isEqualTo(BLOCKS);
    try (TierwiseFileSystem client = client("auto")) {
      assertThat(read(client)).isEqualTo(data);
      ReadCounts counts = client.readStatistics().orElseThrow();
      assertThat(counts.refusals()).isPositive();
      assertThat(counts.failures()).isZero();
    }
    byte[] lone = hdfs.write("/lone", MiniHdfs.BLOCK_BYTES, 1);
    try (TierwiseFileSystem client = greedyThatAsksAgain();
        FSDataInputStream in = client.open(new Path("/lone"))) {
      assertThat(in.readAllBytes()).isEqualTo(lone);
    }
    // A stock client, too, is served when it comes back; it only waits longer before it does.
    try (FSDataInputStream in = hdfs.stock().open(new Path("/lone"))) {
      assertThat(in.readAllBytes()).isEqualTo(lone);
    }
  }

  /** A part of a striped group is on one node: a client that is refused there can ask no other. */
  @Test
  void partsOfErasureCodedFilesAreCountedAndNeverRefused() throws Exception {
    start(DataNodeKeys.VOLUME_READERS, "0", DataNodeKeys.NODE_READERS, "0");
    DistributedFileSystem stock = hdfs.stock();
    stock.enableErasureCodingPolicy("XOR-2-1-1024k");
    stock.mkdirs(new Path("/coded"));
    stock.setErasureCodingPolicy(new Path("/coded"), "XOR-2-1-1024k");
    byte[] coded = hdfs.write("/coded/file", FILE_BYTES, 1);
    for (FileSystem client : List.of(stock, greedyThatAsksAgain())) {
      try (FSDataInputStream in = client.open(new Path("/coded/file"))) {
        assertThat(in.readAllBytes()).isEqualTo(coded);
      }
    }
    long beyond = 0;
    int peak = 0;
    for (int node = 0; node < 4; node++) {
      assertThat(admission(node).refusalCount()).isZero();
      beyond += admission(node).servedForLackOfReplicasCount();
      peak += admission(node).peakReadersOfAVolume();
    }
    // Each of the file's parts was read by each client, through the limit, as a reader like others.
    assertThat(beyond).isGreaterThanOrEqualTo(2L * BLOCKS);
    assertThat(peak).isPositive();
    assertThat(read(greedyThatAsksAgain())).isEqualTo(data);
    assertThat(admission(0).refusalCount()).isPositive();
  }

  /** What a tier table says of a node's address holds on that node as on the NameNode. */
  @Test
  void aTierByAddressHasItsLimitOnTheNodeItself() throws Exception {
    startWithNvme("hosts: ['127.0.0.*']", "nvme");
    try (TierwiseFileSystem client = greedyThatAsksAgain()) {
      assertThat(read(client)).isEqualTo(data);
    }
    assertThat(admission(0).refusalCount()).isEqualTo(BLOCKS);
  }

  /**
   * Only the NameNode knows racks: the next tier's limit would be another device's. Long: make test
   * has a tier by address.
   */
  @Tag("long")
  @Test
  void aTierByRackIsNoneOnTheNodeAndNotTheNext() throws Exception {
    startWithNvme("racks: ['/rack0']", "sata");
    try (TierwiseFileSystem client = greedyThatAsksAgain()) {
      assertThat(read(client)).isEqualTo(data);
    }
    assertThat(admission(0).refusalCount()).isZero();
  }

  /** Two tiers of SSDs; one of them may have no reader. */
  private void startWithNvme(String match, String limited) throws IOException {
    java.nio.file.Path table = java.nio.file.Files.createTempFile("tiers", ".yaml");
    table.toFile().deleteOnExit();
    java.nio.file.Files.writeString(
        table,
        "tiers:\n- {name: nvme, match: {storage-type: SSD, %s}}\n".formatted(match)
            + "- {name: sata, match: {storage-type: SSD}}\n");
    start(
        TierConfiguration.FILE_KEY,
        table.toString(),
        DataNodeKeys.TIER_READERS_PREFIX + limited,
        "0");
  }

  @Test
  void aWrongFallbackOfTheVolumeChoiceIsLoggedAndTheNodeServes() throws Exception {
    for (String wrong : List.of("no.such.Class", String.class.getName())) {
      start(DataNodeKeys.VOLUME_CHOICE_FALLBACK, wrong);
      assertThat(read(hdfs.stock())).isEqualTo(data);
      hdfs.close();
    }
  }

  @Tag("long")
  @Test
  void replicationAndMovesAreNeverRefused() throws Exception {
    start(DataNodeKeys.VOLUME_READERS, "0", DataNodeKeys.NODE_READERS, "0");
    DistributedFileSystem stock = hdfs.stock();
    stock.setReplication(new Path("/mixed/file"), (short) 4);
    await(
        "a fourth replica of each block",
        () -> locatedBlocks().stream().allMatch(block -> block.getLocations().length == 4));
    for (int node = 0; node < 4; node++) {
      assertThat(admission(node).refusalCount()).isZero();
    }
    assertThat(stock.getFileChecksum(new Path("/mixed/file"))).isNotNull();
    hdfs.write("/hot", MiniHdfs.BLOCK_BYTES, 1);
    stock.setStoragePolicy(new Path("/hot"), "ALL_SSD");
    int moved =
        org.apache.hadoop.util.ToolRunner.run(
            new Configuration(hdfs.cluster().getConfiguration(0)),
            new org.apache.hadoop.hdfs.server.mover.Mover.Cli(),
            new String[] {"-p", "/hot"});
    assertThat(moved).isZero();
    assertThat(stock.getClient().getLocatedBlocks("/hot", 0).get(0).getStorageTypes())
        .contains(StorageType.SSD);
    for (int node = 0; node < 4; node++) {
      assertThat(admission(node).refusalCount()).isZero();
    }
  }

  private List<LocatedBlock> locatedBlocks() {
    try {
      return hdfs.stock().getClient().getLocatedBlocks("/mixed/file", 0).getLocatedBlocks();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aNodeThatDiesDuringAReadIsLeftForTheOthers() throws Exception {
    start(DataNodeKeys.TIER_READERS_PREFIX + "ssd", "2");
    try (TierwiseFileSystem client = greedyThatAsksAgain();
        FSDataInputStream in = client.open(new Path("/mixed/file"))) {
      byte[] head = in.readNBytes(MiniHdfs.BLOCK_BYTES / 2);
      hdfs.cluster().stopDataNode(0);
      byte[] rest = in.readAllBytes();
      assertThat(head).isEqualTo(java.util.Arrays.copyOf(data, head.length));
      assertThat(rest).isEqualTo(java.util.Arrays.copyOfRange(data, head.length, data.length));
      ReadCounts counts = client.readStatistics().orElseThrow();
      assertThat(counts.failures()).isPositive();
      // Known dead, it is not asked again for each block.
      assertThat(counts.failures() + counts.refusals()).isLessThan(BLOCKS);
    }
  }

  @Test
  void countersAreShownOverJmx() throws Exception {
    start(DataNodeKeys.TIER_READERS_PREFIX + "ssd", "0");
    try (TierwiseFileSystem client = greedyThatAsksAgain()) {
      assertThat(read(client)).isEqualTo(data);
    }
    assertThat(refusalsOverJmx()).isEqualTo(BLOCKS);
  }

  private static long refusalsOverJmx() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long refusals = 0;
    try {
      for (ObjectName name :
          server.queryNames(new ObjectName("Hadoop:service=DataNode,name=TierwiseReads*"), null)) {
        refusals += ((Number) server.getAttribute(name, "Refusals")).longValue();
      }
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
    return refusals;
  }

  @Test
  void withoutALimitTheDatasetIsStock() throws Exception {
    start();
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      assertThat(node.getFSDataset().getClass()).isEqualTo(FsDatasetImpl.class);
    }
    assertThat(read(hdfs.stock())).isEqualTo(data);
  }

  @Test
  void theVolumeThatTheNameNodeChoseIsTakenWhileItHasRoom() throws Exception {
    start();
    List<FsVolumeSpi> volumes = new ArrayList<>();
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences references =
          node.getFSDataset().getFsVolumeReferences()) {
        volumes.add(references.get(0));
      }
    }
    StorageIdVolumeChoosingPolicy<FsVolumeSpi> policy = new StorageIdVolumeChoosingPolicy<>();
    policy.setConf(new Configuration());
    for (FsVolumeSpi volume : volumes) {
      assertThat(policy.chooseVolume(volumes, 1, volume.getStorageID())).isSameAs(volume);
    }
    assertThat(policy.chooseVolume(volumes, 1, "DS-of-another-node")).isIn(volumes);
    assertThat(policy.chooseVolume(volumes, 1, null)).isIn(volumes);
    FsVolumeSpi chosen = volumes.get(2);
    assertThatThrownBy(
            () -> policy.chooseVolume(List.of(chosen), Long.MAX_VALUE / 2, chosen.getStorageID()))
        .isInstanceOf(DiskOutOfSpaceException.class);
  }
}
