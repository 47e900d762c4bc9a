package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.access.AccessSession;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are not plain replicated ones, and streams that are not opened by path. */
class SpecialFilesIT {
  private static final int FILE_BYTES = 4 * MiniHdfs.BLOCK_BYTES + 4321;
  private static final String CODE = "XOR-2-1-1024k";

  private static MiniHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = MiniHdfs.configuration();
    File keys = new File(System.getProperty("test.build.data", "target"), UUID.randomUUID() + "");
    assertThat(keys.mkdirs()).isTrue();
    String provider = "jceks://file" + new File(keys, "test.jks").getAbsolutePath();
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH, provider);
    KeyProvider keyProvider = KeyProviderFactory.getProviders(conf).get(0);
    keyProvider.createKey("key", KeyProvider.options(conf).setBitLength(128));
    keyProvider.flush();
    hdfs =
        MiniHdfs.start(
            conf,
            new StorageType[] {
              StorageType.SSD, StorageType.DISK, StorageType.DISK, StorageType.DISK
            },
            new String[] {"/rack0", "/rack1", "/rack1", "/rack2"});
    hdfs.stock().mkdirs(new Path("/striped"));
    hdfs.stock().enableErasureCodingPolicy(CODE);
    hdfs.stock().setErasureCodingPolicy(new Path("/striped"), CODE);
    hdfs.stock().mkdirs(new Path("/secret"));
    new HdfsAdmin(hdfs.uri(), conf)
        .createEncryptionZone(
            new Path("/secret"), "key", EnumSet.noneOf(CreateEncryptionZoneFlag.class));
    hdfs.stock().setStoragePolicy(new Path("/secret"), "ONE_SSD");
    hdfs.stock().mkdirs(new Path("/mixed"));
    hdfs.stock().setStoragePolicy(new Path("/mixed"), "ONE_SSD");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static TierwiseFileSystem client(String strategy) throws IOException {
    return hdfs.client(
        ClientKeys.STRATEGY, strategy,
        ClientKeys.LOCATION, "/rack1/host1",
        ClientKeys.STATISTICS, "true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"greedy", "adaptive", "auto"})
  void erasureCodedFilesAreReadAsStockReadsThem(String strategy) throws IOException {
    byte[] data = hdfs.write("/striped/" + strategy, FILE_BYTES, 1);
    Path path = new Path("/striped/" + strategy);
    try (TierwiseFileSystem client = client(strategy)) {
      try (FSDataInputStream in = client.open(path)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
        byte[] part = new byte[3000];
        in.readFully(MiniHdfs.BLOCK_BYTES - 1000, part);
        assertThat(part)
            .isEqualTo(
                Arrays.copyOfRange(data, MiniHdfs.BLOCK_BYTES - 1000, MiniHdfs.BLOCK_BYTES + 2000));
      }
      assertThat(client.readStatistics().orElseThrow().erasureCodedBytes())
          .isEqualTo(FILE_BYTES + 3000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"greedy", "adaptive", "auto"})
  void encryptedFilesAreDecryptedAndReadByTheStrategy(String strategy) throws IOException {
    byte[] data = hdfs.write("/secret/" + strategy, FILE_BYTES, 3);
    try (TierwiseFileSystem client = client(strategy);
        FSDataInputStream in = client.open(new Path("/secret/" + strategy))) {
      assertThat(in.readAllBytes()).isEqualTo(data);
      in.seek(MiniHdfs.BLOCK_BYTES - 10);
      byte[] part = new byte[20];
      in.readFully(part);
      assertThat(part)
          .isEqualTo(
              Arrays.copyOfRange(data, MiniHdfs.BLOCK_BYTES - 10, MiniHdfs.BLOCK_BYTES + 10));
      ByteBuffer buffer = ByteBuffer.allocateDirect(500);
      in.seek(0);
      assertThat(in.read(buffer)).isPositive();
      if (strategy.equals("greedy")) {
        assertThat(client.readStatistics().orElseThrow().bytesOf("ssd")).isPositive();
      }
    }
  }

  @Test
  void aFileIsReadByItsHandleInTheStrategysOrder() throws IOException {
    byte[] data = hdfs.write("/mixed/handled", FILE_BYTES, 3);
    try (TierwiseFileSystem client = client("greedy")) {
      FileStatus status = client.getFileStatus(new Path("/mixed/handled"));
      try (FSDataInputStream in = client.open(client.getPathHandle(status, HandleOpt.exact()))) {
        assertThat(in.readAllBytes()).isEqualTo(data);
        for (LocatedBlock block : ((HdfsDataInputStream) in).getAllBlocks()) {
          assertThat(block.getStorageTypes()[0]).isEqualTo(StorageType.SSD);
        }
      }
      assertThat(client.readStatistics().orElseThrow().bytesOf("ssd")).isEqualTo(FILE_BYTES);
    }
  }

  @Test
  void aStrategyThatLearnsIsToldOfEachRead() throws IOException {
    byte[] data = hdfs.write("/mixed/learnt", FILE_BYTES, 3);
    // A specification of its own, so that no other test has taught it.
    String spec = "adaptive:files=512";
    try (TierwiseFileSystem client = client(spec)) {
      for (int i = 0; i < 3; i++) {
        try (FSDataInputStream in = client.open(new Path("/mixed/learnt"))) {
          assertThat(in.readAllBytes()).isEqualTo(data);
          HdfsDataInputStream hdfsStream = (HdfsDataInputStream) in;
          assertThat(hdfsStream.getVisibleLength()).isEqualTo(FILE_BYTES);
          assertThat(hdfsStream.getReadStatistics().getTotalBytesRead()).isEqualTo(FILE_BYTES);
          assertThat(hdfsStream.getCurrentBlock()).isNotNull();
        }
      }
      AccessSession session = client.session("/mixed/learnt").orElseThrow();
      assertThat(session.state().orElseThrow().readCount()).isEqualTo(3 * 5);
    }
  }

  /** A stream of the file that is open would take them for those that it reads from. */
  @Test
  void blocksThatAreOnlyListedAreKeptForNobody() throws IOException {
    hdfs.write("/mixed/listed", FILE_BYTES, 3);
    Path path = new Path("/mixed/listed");
    ReadTracker ofThisThread = new ReadTracker(null, null, null);
    long fileId = LocatedBlockOrder.fileId(path.toString());
    try (TierwiseFileSystem client = client("greedy")) {
      assertThat(client.getFileBlockLocations(path, 0, FILE_BYTES)).hasSize(5);
      assertThat(ofThisThread.takeLocated(fileId)).isNull();
      assertThat(client.listLocatedStatus(path).next().getBlockLocations()).hasSize(5);
      assertThat(ofThisThread.takeLocated(fileId)).isNull();
      assertThat(client.getFileBlockLocations(path, 0, FILE_BYTES)[0].getStorageTypes()[0])
          .isEqualTo(StorageType.SSD);
    }
  }
}
