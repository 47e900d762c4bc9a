package io.tierwise.hadoop.hdfs.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.ReplicaSorter;
import io.tierwise.hadoop.hdfs.topology.ReplicaTiers;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.RepeatingAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every strategy on a real HDFS: the order is the strategy's, and the data is what was written. */
class AccessStrategiesOnHdfsIT {
  private static final String SEED = "42";
  private static final String READER_RACK = "/west/rack1";
  private static final String READER_HOST = "host1";
  private static final int FILE_BYTES = 5 * MiniHdfs.BLOCK_BYTES + 12_345;

  private static MiniHdfs hdfs;
  private static byte[] data;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        MiniHdfs.start(
            MiniHdfs.configuration(),
            new StorageType[] {
              StorageType.SSD, StorageType.DISK, StorageType.DISK, StorageType.SSD
            },
            // Each at another distance of the reader: 6, 0, 2, 4.
            new String[] {"/east/rack0", READER_RACK, READER_RACK, "/west/rack2"});
    hdfs.stock().mkdirs(new Path("/mixed"));
    hdfs.stock().setStoragePolicy(new Path("/mixed"), "ONE_SSD");
    data = hdfs.write("/mixed/file", FILE_BYTES, 3);
    hdfs.write("/mixed/small", 10, 3);
    hdfs.write("/mixed/empty", 0, 3);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  /** All that a client takes. */
  static Stream<String> strategies() {
    return AccessStrategies.names().stream()
        .filter(name -> !name.equals(PlantedStrategies.WithoutSession.NAME));
  }

  private static TierwiseFileSystem client(String strategy, String... more) throws IOException {
    List<String> settings =
        new ArrayList<>(
            List.of(
                ClientKeys.STRATEGY,
                strategy,
                ClientKeys.RANDOM_SEED,
                SEED,
                ClientKeys.LOCATION,
                READER_RACK + "/" + READER_HOST,
                ClientKeys.STATISTICS,
                "true"));
    settings.addAll(Arrays.asList(more));
    return hdfs.client(settings.toArray(new String[0]));
  }

  private static LocatedBlocks located(DistributedFileSystem client, String path)
      throws IOException {
    return client.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE);
  }

  /** The strategy's own answer, called directly on the blocks as the NameNode lists them. */
  private static List<String> expectedFirstHosts(String strategyName, LocatedBlocks blocks) {
    AccessStrategy strategy = AccessStrategies.parse(strategyName);
    ReplicaTiers tiers = new ReplicaTiers(TierConfiguration.byStorageType());
    ReplicaSorter view =
        new ReplicaSorter(
            tiers, storage -> List.of(6, 0, 2, 4).get(storage.hostName().charAt(4) - '0'));
    List<String> hosts = new ArrayList<>();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      DatanodeInfoWithStorage[] replicas = block.getLocations();
      view.show(replicas, replicas.length);
      int[] order = new int[replicas.length];
      strategy.order(
          new AccessRequest(
              LocatedBlockOrder.fileId("/mixed/file"),
              block.getStartOffset() / MiniHdfs.BLOCK_BYTES,
              block.getBlockSize(),
              7),
          view,
          new SplittableRandom(Long.parseLong(SEED) ^ block.getBlock().getBlockId()),
          order);
      hosts.add(replicas[order[0]].getHostName());
    }
    return hosts;
  }

  private static List<String> firstHosts(BlockLocation[] locations) throws IOException {
    List<String> hosts = new ArrayList<>();
    for (BlockLocation location : locations) {
      hosts.add(location.getHosts()[0]);
    }
    return hosts;
  }

  /** The NameNode shuffles what is equally near to it; these depend on the order it lists. */
  private static boolean dependsOnListing(String strategy) {
    return strategy.equals("network-aware")
        || strategy.equals("random")
        || strategy.equals("network-weighted")
        || strategy.equals("tier-aware")
        || strategy.equals("hybrid")
        || strategy.equals("hybrid-pipelined")
        || strategy.equals("auto")
        || strategy.equals("throwing-aside")
        || strategy.equals("hanging");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void locationsAreInTheOrderOfTheStrategyCalledDirectly(String strategy) throws IOException {
    try (TierwiseFileSystem client = client(strategy, ClientKeys.TASK_INDEX, "7")) {
      LocatedBlocks asListed = located(hdfs.stock(), "/mixed/file");
      LocatedBlockOrder order =
          LocatedBlockOrder.of(client.getConf(), TierConfiguration.byStorageType());
      List<String> expected = expectedFirstHosts(strategy, asListed);
      order.order("/mixed/file", asListed, AccessStrategies.parse(strategy));
      List<String> ordered = new ArrayList<>();
      for (LocatedBlock block : asListed.getLocatedBlocks()) {
        ordered.add(block.getLocations()[0].getHostName());
        assertThat(block.getStorageIDs()[0]).isEqualTo(block.getLocations()[0].getStorageID());
      }
      assertThat(ordered).isEqualTo(expected);
      if (!dependsOnListing(strategy)) {
        BlockLocation[] locations =
            client.getFileBlockLocations(new Path("/mixed/file"), 0, FILE_BYTES);
        assertThat(firstHosts(locations)).isEqualTo(expected);
      }
    }
  }

  @Test
  void listingsAndFileContextFollowTheStrategy() throws IOException {
    List<String> expected = expectedFirstHosts("greedy", located(hdfs.stock(), "/mixed/file"));
    Path path = new Path("/mixed/file");
    try (TierwiseFileSystem client = client("greedy")) {
      LocatedFileStatus listed = client.listLocatedStatus(path).next();
      assertThat(firstHosts(listed.getBlockLocations())).isEqualTo(expected);
      RemoteIterator<LocatedFileStatus> files = client.listFiles(new Path("/mixed"), true);
      List<String> names = new ArrayList<>();
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        names.add(file.getPath().getName());
        if (file.getPath().toUri().getPath().equals("/mixed/file")) {
          assertThat(firstHosts(file.getBlockLocations())).isEqualTo(expected);
        }
      }
      assertThat(names).contains("file", "small", "empty");

      FileContext context = FileContext.getFileContext(hdfs.uri(), client.getConf());
      assertThat(context.getDefaultFileSystem()).isInstanceOf(TierwiseFs.class);
      assertThat(firstHosts(context.getFileBlockLocations(path, 0, FILE_BYTES)))
          .isEqualTo(expected);
      assertThat(firstHosts(context.util().listFiles(path, false).next().getBlockLocations()))
          .isEqualTo(expected);
      try (FSDataInputStream in = context.open(path)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
      try (FSDataInputStream in = context.openFile(path).build().get()) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void everyWayOfReadingGivesWhatWasWritten(String strategy) throws IOException {
    try (TierwiseFileSystem client = client(strategy)) {
      readEveryWay(client);
      assertThat(client.readStatistics().orElseThrow().orderFailures()).isZero();
    }
  }

  @Test
  void hedgedReadsGiveWhatWasWritten() throws IOException {
    try (TierwiseFileSystem client =
        client(
            "greedy",
            "dfs.client.hedged.read.threadpool.size",
            "4",
            "dfs.client.hedged.read.threshold.millis",
            "1")) {
      readEveryWay(client);
    }
  }

  private static void readEveryWay(FileSystem client) throws IOException {
    Path path = new Path("/mixed/file");
    try (FSDataInputStream in = client.open(path)) {
      assertThat(in).isInstanceOf(HdfsDataInputStream.class);
      assertThat(in.hasCapability(StreamCapabilities.READBYTEBUFFER)).isTrue();
      assertThat(in.hasCapability(StreamCapabilities.UNBUFFER)).isTrue();
      assertThat(in.readAllBytes()).isEqualTo(data);
      in.seek(MiniHdfs.BLOCK_BYTES - 100);
      byte[] across = new byte[200];
      in.readFully(across);
      assertThat(across).isEqualTo(part(MiniHdfs.BLOCK_BYTES - 100, 200));
      in.unbuffer();
      ByteBuffer buffer = ByteBuffer.allocateDirect(1000);
      in.seek(3 * MiniHdfs.BLOCK_BYTES + 17);
      while (buffer.hasRemaining() && in.read(buffer) > 0) {}
      assertThat(bytes(buffer)).isEqualTo(part(3 * MiniHdfs.BLOCK_BYTES + 17, 1000));
      byte[] positioned = new byte[2 * MiniHdfs.BLOCK_BYTES];
      in.readFully(1234, positioned);
      assertThat(positioned).isEqualTo(part(1234, positioned.length));
      ByteBuffer positionedBuffer = ByteBuffer.allocate(5000);
      in.readFully(4 * MiniHdfs.BLOCK_BYTES - 2500, positionedBuffer);
      assertThat(bytes(positionedBuffer)).isEqualTo(part(4 * MiniHdfs.BLOCK_BYTES - 2500, 5000));
    }
    try (FSDataInputStream in = client.open(new Path("/mixed/small"))) {
      assertThat(in.readAllBytes()).hasSize(10);
    }
    try (FSDataInputStream in = client.open(new Path("/mixed/empty"))) {
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  private static byte[] part(int from, int length) {
    return Arrays.copyOfRange(data, from, from + length);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    buffer.flip();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void greedyReadsEveryByteFromTheFastestTierAndSaysSo() throws IOException {
    try (TierwiseFileSystem client = client("greedy")) {
      try (FSDataInputStream in = client.open(new Path("/mixed/file"))) {
        in.readAllBytes();
      }
      ReadCounts counts = client.readStatistics().orElseThrow();
      assertThat(counts.bytesOf("ssd")).isEqualTo(FILE_BYTES);
      assertThat(counts.totalBytes()).isEqualTo(FILE_BYTES);
      assertThat(counts.refusals()).isZero();
    }
  }

  @Test
  void aFileThatIsStillWrittenCanBeRead() throws IOException {
    Path path = new Path("/mixed/open");
    byte[] head = part(0, MiniHdfs.BLOCK_BYTES + 777);
    try (FSDataOutputStream out = hdfs.stock().create(path, (short) 3);
        TierwiseFileSystem client = client("greedy")) {
      out.write(head);
      out.hflush();
      try (FSDataInputStream in = client.open(path)) {
        assertThat(in.readAllBytes()).isEqualTo(head);
      }
    }
    try (TierwiseFileSystem client = client("greedy");
        FSDataOutputStream out = client.append(path)) {
      out.write(part(0, 10));
    }
    assertThat(hdfs.stock().getFileStatus(path).getLen()).isEqualTo(head.length + 10);
  }

  @Test
  void theAttributeOfTheNearestDirectoryIsStrongerThanTheKey() throws IOException {
    Path directory = new Path("/mixed/attributed/deep");
    hdfs.stock().mkdirs(directory);
    hdfs.write("/mixed/attributed/deep/file", FILE_BYTES, 3);
    hdfs.stock()
        .setXAttr(new Path("/mixed/attributed"), ClientKeys.ATTRIBUTE, "greedy".getBytes(UTF_8));
    try (TierwiseFileSystem client = client("dld", ClientKeys.FROM_ATTRIBUTE, "true")) {
      try (FSDataInputStream in = client.open(new Path(directory, "file"))) {
        in.readAllBytes();
      }
      assertThat(client.readStatistics().orElseThrow().bytesOf("ssd")).isEqualTo(FILE_BYTES);
    }
  }

  @Test
  void anUnknownStrategyIsNamedWithItsKeyAtTheStart() {
    assertThatThrownBy(() -> client("fastest-first"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ClientKeys.STRATEGY)
        .hasMessageContaining("fastest-first")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(() -> client("greedy", ClientKeys.LOCATION, "somewhere"))
        .hasMessageContaining(ClientKeys.LOCATION)
        .hasMessageContaining("somewhere");
  }

  @Test
  void withoutAStrategyTheClientIsStock() throws IOException {
    Configuration conf = hdfs.clientConfiguration();
    try (TierwiseFileSystem client =
        (TierwiseFileSystem) FileSystem.newInstance(hdfs.uri(), conf)) {
      assertThat(client.readStatistics()).isEmpty();
      try (FSDataInputStream in = client.open(new Path("/mixed/file"))) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
    }
  }

  @Test
  void aStrategyThatFailsLeavesTheNameNodesOrderAndIsCounted() throws IOException {
    LocatedBlocks blocks = located(hdfs.stock(), "/mixed/file");
    List<List<DatanodeInfoWithStorage>> before = orders(blocks);
    LocatedBlockOrder order =
        LocatedBlockOrder.of(hdfs.clientConfiguration(), TierConfiguration.byStorageType());
    order.order("/mixed/file", blocks, new PlantedStrategies.Throwing());
    order.order("/mixed/file", blocks, new RepeatingAccess());
    order.order("/mixed/file", blocks, new PlantedStrategies.OfAnotherVersion());
    assertThat(orders(blocks)).isEqualTo(before);
    assertThat(order.failureCount()).isEqualTo(3L * blocks.locatedBlockCount());
  }

  private static List<List<DatanodeInfoWithStorage>> orders(LocatedBlocks blocks) {
    List<List<DatanodeInfoWithStorage>> orders = new ArrayList<>();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      orders.add(List.of(block.getLocations()));
    }
    return orders;
  }
}
