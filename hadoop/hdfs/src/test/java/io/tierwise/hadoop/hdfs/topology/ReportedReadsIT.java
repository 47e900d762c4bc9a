package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.net.StandardSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reports of readers about a slow node serve a client that has read nothing. Hadoop's defaults for
 * caller contexts stay as they are.
 */
class ReportedReadsIT {
  private static final String SLOW_BYTES_PER_SECOND = String.valueOf(64 << 10);
  private static final String FILE = "/file";
  private static final int SLOW = 0;

  /** Ten opens of two blocks on the slower device, and as much again. */
  private static final long DRAINED_NANOS = 500_000_000L;

  /** As fast as that, the SSD is asked first. */
  private static final String TIERS =
      """
      tiers:
        - name: fast
          match: {storage-type: SSD}
          class: {name: ssd, read-megabytes-per-second: 100}
        - name: slow
          match: {storage-type: DISK}
          class: {name: disk, read-megabytes-per-second: 60}
      """;

  private AutoHdfs auto;
  private byte[] data;

  @BeforeEach
  void start(@TempDir File folder) throws Exception {
    auto = AutoHdfs.ofTwoKinds(folder, "auto", TIERS);
    auto.hdfs().stock().setStoragePolicy(new Path("/"), "ONE_SSD");
    data = auto.hdfs().write(FILE, 2 * MiniHdfs.BLOCK_BYTES, 2);
    auto.silenceNodes();
    DataNode slow = auto.hdfs().cluster().getDataNodes().get(SLOW);
    slow.reconfigureProperty(
        DFSConfigKeys.DFS_DATANODE_DATA_READ_BANDWIDTHPERSEC_KEY, SLOW_BYTES_PER_SECOND);
  }

  @AfterEach
  void stop() {
    CallerContext.setCurrent(null);
    assertThat(auto.topology().failureCount()).isZero();
    auto.close();
  }

  /** Connects from another address of this machine: to a NameNode another host. */
  public static class SecondHost extends StandardSocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      return boundTo("127.0.0.2", super.createSocket());
    }
  }

  /** Likewise. */
  public static class ThirdHost extends StandardSocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      return boundTo("127.0.0.3", super.createSocket());
    }
  }

  private static Socket boundTo(String address, Socket socket) throws IOException {
    socket.bind(new InetSocketAddress(address, 0));
    return socket;
  }

  private FileSystem clientOn(Class<? extends StandardSocketFactory> host, String strategy)
      throws IOException {
    return auto.hdfs()
        .client(
            ClientKeys.STRATEGY,
            strategy,
            ClientKeys.LOCATION,
            "/elsewhere/" + host.getSimpleName(),
            CommonConfigurationKeysPublic.HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT_KEY,
            host.getName());
  }

  private void readFrom(Class<? extends StandardSocketFactory> host, String strategy)
      throws IOException {
    try (FileSystem client = clientOn(host, strategy);
        FSDataInputStream in = client.open(new Path(FILE))) {
      assertThat(in.readAllBytes()).isEqualTo(data);
    }
  }

  /** When nobody is expected to read any more. */
  private String first() throws IOException {
    LockSupport.parkNanos(DRAINED_NANOS);
    return auto.firstForOutsider(FILE);
  }

  private String slowHost() {
    return auto.descriptor(auto.hdfs().cluster().getDataNodes().get(SLOW)).getHostName();
  }

  @Test
  void whatTwoHostsTellSendsANewReaderElsewhere() throws IOException {
    assertThat(first()).as("nobody has read yet").isEqualTo(slowHost());
    readFrom(SecondHost.class, "auto");
    assertThat(auto.topology().reportedReadCount()).isPositive();
    assertThat(first()).as("one host's word is nothing").isEqualTo(slowHost());
    readFrom(ThirdHost.class, "auto");
    assertThat(first()).as("another host says so").isNotEqualTo(slowHost());
  }

  @Test
  void readersThatAreNotAskedTellNothing() throws IOException {
    readFrom(SecondHost.class, "auto:reports=false");
    readFrom(ThirdHost.class, "auto:reports=false");
    assertThat(auto.topology().reportedReadCount()).isZero();
    assertThat(first()).isEqualTo(slowHost());
  }

  /** What is said of the slow node's device, which nobody has read. */
  private String lies() throws IOException {
    for (DatanodeInfoWithStorage replica : auto.blocks(FILE).get(0).getLocations()) {
      if (replica.getHostName().equals(slowHost())) {
        return String.format("twr:%016x.r.0.600000.0", auto.freshTiers().of(replica).number());
      }
    }
    throw new AssertionError("no replica on " + slowHost());
  }

  /** A reader takes any router of a federation, and so comes from several hosts. */
  @Test
  void whatRoutersPassOnIsNotHeard() throws IOException {
    String routed = "clientIp:192.0.2.1,clientPort:4000," + lies();
    tellFrom(SecondHost.class, routed);
    tellFrom(ThirdHost.class, routed);
    assertThat(auto.topology().reportedReadCount()).isZero();
    assertThat(first()).isEqualTo(slowHost());
    tellFrom(SecondHost.class, lies());
    tellFrom(ThirdHost.class, lies());
    assertThat(first()).as("two hosts say so").isNotEqualTo(slowHost());
  }

  private void tellFrom(Class<? extends StandardSocketFactory> host, String context)
      throws IOException {
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    try (FileSystem client = clientOn(host, "auto:reports=false");
        FSDataInputStream in = client.open(new Path(FILE))) {
      assertThat(in.read()).isEqualTo(data[0] & 0xff);
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  /** Anybody may set a context; here a stock client, which is one host whatever it says. */
  @Test
  void contextsThatAreWrongOrLieMoveNothing() throws IOException {
    String lies = lies();
    for (String context :
        List.of(
            lies,
            "clientIp:127.0.0.2," + lies,
            "clientIp:127.0.0.3," + lies,
            "twr:0000000000000001.r.0.600000.0",
            lies + ";x",
            "twr:;;;;",
            "twr:" + "f".repeat(100_000),
            "\u0000,\ttwr:=,")) {
      CallerContext.setCurrent(new CallerContext.Builder(context).build());
      try (FSDataInputStream in = auto.hdfs().stock().open(new Path(FILE))) {
        assertThat(in.read()).isEqualTo(data[0] & 0xff);
      }
    }
    CallerContext.setCurrent(null);
    assertThat(auto.topology().reportedReadCount()).as("of a known storage").isOne();
    assertThat(first()).isEqualTo(slowHost());
  }
}
