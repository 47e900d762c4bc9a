package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tierwise.hadoop.hdfs.TextNumber;
import io.tierwise.hadoop.hdfs.tiers.TierFileUpdate;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.LyingDataNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.net.StandardSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * False reports to {@code auto}, on a NameNode and DataNodes that are processes: reads go on, and
 * are spread as far as anybody can know better. All else has HDFS's defaults.
 */
@Tag("long")
class AutoFaultsOnProcessesIT {
  private static final Path FILE = new Path("/file");
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NODES = 3;
  private static final int READS = 60;
  private static final long CLOCK_SECONDS_MAX = 30;

  /** HDFS's default interval of heartbeats three times over, and a busy machine. */
  private static final Duration HEARD_OF = Duration.ofSeconds(30);

  /** By configuration so slow that what is counted stays while a test looks. */
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}, class: {name: s, read-megabytes-per-second: 20}}
        - {name: slow, match: {storage-type: DISK}, class: {name: d, read-megabytes-per-second: 1}}
      """;

  @TempDir static java.nio.file.Path folder;
  private static HdfsProcesses hdfs;
  private static byte[] data;
  private static boolean clockCanJump;

  @BeforeAll
  static void start() throws Exception {
    hdfs = new HdfsProcesses(folder);
    Files.writeString(folder.resolve("clock"), "0");
    clockCanJump = compileClock();
    if (clockCanJump) {
      hdfs.processes()
          .environment(
              HdfsProcesses.NAME_NODE,
              Map.of(
                  "LD_PRELOAD",
                  folder.resolve("clock.so").toString(),
                  "JUMPING_CLOCK",
                  folder.resolve("clock").toString()));
    }
    hdfs.startNameNode(AutoProcesses.KEYS, TIERS);
    for (int node = 0; node < NODES; node++) {
      say(node, LyingDataNode.HONEST);
      hdfs.startDataNode(
          name(node),
          Map.of(),
          TIERS,
          LyingDataNode.class.getName(),
          folder.resolve(name(node) + ".says").toString());
    }
    try (FileSystem fs = AutoProcesses.stock(hdfs)) {
      data = AutoProcesses.write(fs, FILE, BLOCK_BYTES, NODES, BLOCK_BYTES);
    }
  }

  /** Without a C compiler no process's clock can be set without everybody's. */
  private static boolean compileClock() throws Exception {
    java.nio.file.Path source = folder.resolve("clock.c");
    try (InputStream in = AutoFaultsOnProcessesIT.class.getResourceAsStream("jumping-clock.c")) {
      Files.copy(in, source);
    }
    try {
      return new ProcessBuilder(
                  "cc", "-shared", "-fPIC", "-o", folder + "/clock.so", source.toString(), "-ldl")
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @AfterEach
  void beHonest() throws IOException {
    for (int node = 0; node < NODES; node++) {
      say(node, LyingDataNode.HONEST);
    }
    setClock(0);
    // The next test begins with a NameNode that has heard the truth.
    heartbeatsPass();
    AutoProcesses.assertNothingFailed(hdfs);
  }

  private static String name(int node) {
    return "datanode" + node;
  }

  private static void say(int node, String transfers) throws IOException {
    Files.writeString(folder.resolve(name(node) + ".says"), transfers);
  }

  private static void setClock(long secondsOff) throws IOException {
    Files.writeString(folder.resolve("clock"), String.valueOf(secondsOff));
  }

  /** By node how many of these reads it gave; of ours and of stock's client in turn. */
  private static Map<Integer, Integer> read(int reads) throws IOException {
    Map<Integer, Integer> from = new TreeMap<>();
    try (FileSystem ours = AutoProcesses.client(hdfs, "auto");
        FileSystem stock = AutoProcesses.stock(hdfs)) {
      for (int read = 0; read < reads; read++) {
        try (FSDataInputStream in = (read % 2 == 0 ? ours : stock).open(FILE)) {
          assertThat(in.readAllBytes()).isEqualTo(data);
          int port = ((HdfsDataInputStream) in).getCurrentDatanode().getInfoPort();
          from.merge(nodesByPort().get(port), 1, Integer::sum);
        }
      }
    }
    return from;
  }

  private static Map<Integer, Integer> nodesByPort() {
    Map<Integer, Integer> nodes = new HashMap<>();
    for (int node = 0; node < NODES; node++) {
      nodes.put(hdfs.httpPort(name(node)), node);
    }
    return nodes;
  }

  /** Each of the nodes gave a fair part: half of its third at least. */
  private static void assertSpread(Map<Integer, Integer> from, int reads) {
    assertThat(from).hasSize(NODES);
    assertThat(from.values()).allMatch(count -> count >= reads / NODES / 2);
  }

  private static void heartbeatsPass() throws IOException {
    // A node's next heartbeat but one, at the latest, says what it knows after this.
    Instant until = Instant.now().plusSeconds(7);
    hdfs.processes().await("heartbeats", () -> Instant.now().isAfter(until));
  }

  /** A replica that all avoid, and what brings it back. */
  @Test
  void aNodeThatReportsFarTooMuchIsReadLastAndAgainSoonAfterItsNextTrueReport() throws IOException {
    say(0, String.valueOf(Integer.MAX_VALUE));
    heartbeatsPass();
    Map<Integer, Integer> from = read(READS);
    assertThat(from).doesNotContainKey(0).hasSize(NODES - 1);

    say(0, LyingDataNode.HONEST);
    Instant mended = Instant.now();
    hdfs.processes().await("the node to be read again", () -> read(1).containsKey(0));
    assertThat(Duration.between(mended, Instant.now())).isLessThan(HEARD_OF);
    heartbeatsPass();
    assertSpread(read(READS), READS);
  }

  @Test
  void nodesThatReportLessThanNothingAreTakenForIdle() throws IOException {
    say(0, String.valueOf(Integer.MIN_VALUE));
    say(1, "-1");
    say(2, "0");
    heartbeatsPass();
    assertSpread(read(READS), READS);
  }

  @Test
  void whenAllReportFarTooMuchReadsAreSpreadByWhatTheNameNodeAnswered() throws IOException {
    for (int node = 0; node < NODES; node++) {
      say(node, String.valueOf(Integer.MAX_VALUE));
    }
    heartbeatsPass();
    assertSpread(read(READS), READS);
  }

  /** No heartbeat comes, though the node serves: the NameNode's view of it is old. */
  @Test
  void aViewThatIsOldChangesNothingForNodesThatAreIdle() throws IOException {
    for (int node = 0; node < NODES; node++) {
      say(node, LyingDataNode.SILENT);
    }
    // Longer than HDFS's dfs.namenode.stale.datanode.interval, 30 s.
    Instant until = Instant.now().plusSeconds(35);
    hdfs.processes().await("the nodes to be stale", () -> Instant.now().isAfter(until));
    assertSpread(read(READS), READS);
  }

  @Test
  void aThousandCallsThatAskForLocationsLeaveNoCountBehind() throws IOException {
    double counted = AutoProcesses.counted(hdfs);
    long looks = AutoProcesses.topology(hdfs).path("Looks").asLong();
    try (FileSystem stock = AutoProcesses.stock(hdfs)) {
      for (int look = 0; look < 1_000; look++) {
        assertThat(stock.getFileBlockLocations(FILE, 0, BLOCK_BYTES)).hasSize(1);
      }
    }
    assertThat(AutoProcesses.topology(hdfs).path("Looks").asLong() - looks).isEqualTo(1_000);
    assertThat(AutoProcesses.counted(hdfs)).isEqualTo(counted);
    assertSpread(read(READS), READS);
  }

  /** Links whose speed nobody knows, and links that are told ten times too slow and too fast. */
  @Test
  void linksThatAreToldWronglyFailNoRead() throws IOException {
    try {
      for (String told :
          List.of(
              "auto:link-megabytes-per-second=125",
              "auto:link-megabytes-per-second=12500",
              "auto")) {
        hdfs.killNameNode();
        hdfs.startNameNodeAgain(Map.of(AutoProcesses.STRATEGY, told));
        heartbeatsPass();
        assertSpread(read(READS), READS);
        assertThat(AutoProcesses.counted(hdfs)).as(told).isPositive();
        assertThat(AutoProcesses.topology(hdfs).path("OrderFailures").asLong(-1)).as(told).isZero();
      }
    } finally {
      hdfs.killNameNode();
      hdfs.startNameNodeAgain();
    }
  }

  /** As {@code tiers probe --each-volume} writes it. */
  @Test
  void aVolumeThatWasMeasuredFarSlowerThanItsTierIsReadLast() throws IOException {
    java.nio.file.Path table = hdfs.conf(HdfsProcesses.NAME_NODE).resolve("tiers.yaml");
    try {
      TierFileUpdate.of(TIERS, "tiers.yaml")
          .setVolumes(Map.of(storageIdOfDisk(name(0)), 1e4))
          .write(table);
      hdfs.killNameNode();
      hdfs.startNameNodeAgain();
      heartbeatsPass();
      assertThat(read(READS)).doesNotContainKey(0).hasSize(NODES - 1);
    } finally {
      Files.writeString(table, TIERS);
      hdfs.killNameNode();
      hdfs.startNameNodeAgain();
    }
  }

  private static String storageIdOfDisk(String name) throws IOException {
    Properties version = new Properties();
    java.nio.file.Path file = folder.resolve(name).resolve("disk/current/VERSION");
    try (Reader in = Files.newBufferedReader(file)) {
      version.load(in);
    }
    return version.getProperty("storageID");
  }

  /** Anybody may tell anything of a read; the next readers are sent by it, and none fails. */
  @Test
  void readersThatLieAboutADeviceFailNoRead() throws IOException {
    read(NODES);
    String lies = String.format("twr:%016x.r.0.600000.0", TextNumber.of(storageIdOfDisk(name(0))));
    long heard = reported();
    for (String context : List.of(lies, lies + ";x", "twr:" + ";".repeat(9_999), "twr:\u0000")) {
      tell(context, "127.0.0.2");
    }
    assertThat(reported() - heard).as("to the letter").isOne();
    assertSpread(read(READS), READS);

    tell(lies, "127.0.0.3");
    assertThat(reported() - heard).isGreaterThanOrEqualTo(2);
    Map<Integer, Integer> from = read(READS);
    assertThat(from.getOrDefault(0, 0)).as("two hosts say so").isLessThan(from.get(1));
  }

  private static long reported() throws IOException {
    return AutoProcesses.topology(hdfs).path("ReportedReads").asLong(-1);
  }

  /** From that address of this machine: to the NameNode a host of its own. */
  private static void tell(String context, String address) throws IOException {
    Configuration conf = new Configuration();
    FileSystem.setDefaultUri(conf, hdfs.uri());
    conf.set("hadoop.rpc.socket.factory.class.default", OtherAddress.class.getName());
    OtherAddress.address = address;
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    try (FileSystem fs = FileSystem.newInstance(conf);
        FSDataInputStream in = fs.open(FILE)) {
      assertThat(in.read()).isEqualTo(data[0] & 0xff);
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  /** Makes connections from another address of this machine. */
  public static class OtherAddress extends StandardSocketFactory {
    private static String address;

    @Override
    public Socket createSocket() throws IOException {
      Socket socket = super.createSocket();
      socket.bind(new InetSocketAddress(address, 0));
      return socket;
    }
  }

  /** Of the NameNode, forwards and back by an hour and by a month. */
  @Test
  void aClockThatJumpsForgetsNothingAndFailsNoRead() throws IOException {
    assumeThat(clockCanJump).as("a C compiler as cc").isTrue();
    for (long seconds : new long[] {3_600, -3_600, 30L * 86_400, -30L * 86_400, 0}) {
      setClock(seconds);
      assertThat(secondsOffOfNameNode()).isCloseTo(seconds, within(CLOCK_SECONDS_MAX));
      double counted = AutoProcesses.counted(hdfs);
      assertSpread(read(READS), READS);
      assertThat(AutoProcesses.counted(hdfs)).isGreaterThanOrEqualTo(counted + READS);
    }
  }

  /** By the time that it gives a file that is made now. */
  private static long secondsOffOfNameNode() throws IOException {
    Path file = new Path("/made-now");
    try (FileSystem stock = AutoProcesses.stock(hdfs)) {
      stock.create(file, true).close();
      long made = stock.getFileStatus(file).getModificationTime();
      return TimeUnit.MILLISECONDS.toSeconds(made - System.currentTimeMillis());
    }
  }

  /** Its monotonic clock jumps over the time while it stands still. */
  @Test
  void aNameNodeThatStandsStillForAWhileGoesOnAsBefore() throws IOException {
    assertSpread(read(READS), READS);
    hdfs.processes().signal(HdfsProcesses.NAME_NODE, "STOP");
    try {
      heartbeatsPass();
    } finally {
      hdfs.processes().signal(HdfsProcesses.NAME_NODE, "CONT");
    }
    assertSpread(read(READS), READS);
  }
}
