package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.GuideCommands.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The commands of docs/how-to/operate.md for high availability, as they stand there: on three
 * NameNodes with a quorum journal, the third an observer, while a client writes and reads. Then the
 * faults that the guide describes.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperateGuideIT {
  private static final Path GUIDE =
      Path.of(System.getProperty("tierwise.root"), "docs", "how-to", "operate.md");
  private static final String PLUGIN = "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin";
  private static final String NAMESERVICE = "guide";
  private static final List<String> IDS = List.of("nn1", "nn2", "nn3");
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}}
        - {name: slow, match: {storage-type: DISK}}
      """;

  @TempDir static Path folder;
  private static MiniQJMHACluster cluster;
  private static MiniDFSCluster mini;
  private static Path conf;
  private static Configuration client;
  private static int connectionMillis = 10_000;

  @BeforeAll
  static void start() throws Exception {
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), TIERS);
    Configuration server = new HdfsConfiguration();
    server.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        "io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy");
    server.set("dfs.namenode.plugins", PLUGIN);
    server.set("tierwise.tiers.file", tiers.toString());
    server.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    server.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    server.setBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    // Without it an observer answers clients that do not say what they have seen.
    server.setBoolean(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY, true);
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(server, folder.resolve("hdfs").toFile())
            .baseDir(folder.resolve("journal").toString())
            .setNumNameNodes(IDS.size());
    builder
        .getDfsBuilder()
        .numDataNodes(3)
        .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK});
    cluster = builder.build();
    mini = cluster.getDfsCluster();
    mini.transitionToActive(0);
    mini.transitionToObserver(2);
    mini.waitActive(0);
    conf = Files.createDirectories(folder.resolve("conf"));
    Files.copy(tiers, conf.resolve("tiers.yaml"));
    client = clientConfiguration();
    try (OutputStream out = Files.newOutputStream(conf.resolve("hdfs-site.xml"))) {
      client.writeXml(out);
    }
    try (DistributedFileSystem fs = connect()) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/warehouse"));
    }
  }

  /** The keys of an operator's hdfs-site.xml. */
  private static Configuration clientConfiguration() {
    Configuration site = new Configuration(false);
    site.set("fs.defaultFS", "hdfs://" + NAMESERVICE);
    site.set("dfs.nameservices", NAMESERVICE);
    site.set("dfs.ha.namenodes." + NAMESERVICE, String.join(",", IDS));
    for (int i = 0; i < IDS.size(); i++) {
      String suffix = "." + NAMESERVICE + "." + IDS.get(i);
      site.set("dfs.namenode.rpc-address" + suffix, "127.0.0.1:" + mini.getNameNodePort(i));
      site.set(
          "dfs.namenode.http-address" + suffix,
          "127.0.0.1:" + mini.getNameNode(i).getHttpAddress().getPort());
    }
    site.set("dfs.ha.fencing.methods", "shell(/bin/true)");
    site.set(
        HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + NAMESERVICE,
        ConfiguredFailoverProxyProvider.class.getName());
    return site;
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  @Test
  @Order(1)
  void everyBlockOfCommandsSaysWhereItRan() throws Exception {
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
  }

  @Test
  @Order(2)
  void theCommandsRunAndAClientDoesNotNoticeTheRestarts() throws Exception {
    List<Line> lines = GuideCommands.of(GUIDE, "ha");
    assertThat(lines.stream().filter(line -> line.startsWith("hdfs", "--daemon"))).hasSize(6);
    BusyClient busy = null;
    for (Line line : lines) {
      assertThat(exitCode(line)).as(line.toString()).isZero();
      if (busy == null && line.startsWith("bin/tierwise", "policy", "set")) {
        busy = new BusyClient();
      }
      if (busy != null) {
        busy.awaitOneBegunNow();
      }
    }
    List<org.apache.hadoop.fs.Path> files = busy.stop();
    assertThat(busy.failures).isEmpty();
    try (DistributedFileSystem fs = connect()) {
      for (org.apache.hadoop.fs.Path file : files) {
        assertThat(typesOf(fs, file))
            .as(file.toString())
            .containsExactly(StorageType.DISK, StorageType.DISK, StorageType.SSD);
      }
    }
  }

  @Test
  @Order(3)
  void withoutItsTierTableANameNodeIsStockAndSaysSo() throws Exception {
    String missing = folder.resolve("nowhere/tiers.yaml").toString();
    String said = restartStandbyWith(missing);
    assertThat(said)
        .contains("Tierwise does not start; stock HDFS places all blocks", missing)
        .contains("neither a file nor on the class path")
        .as("one line, no stack trace")
        .doesNotContain("TierFileException");
    assertThat(typesOfANewFile("/warehouse/without-table"))
        .containsExactly(StorageType.DISK, StorageType.DISK, StorageType.DISK);
  }

  @Test
  @Order(4)
  void aNameNodeThatTakesStorageTypesForTiersLeavesNamedTiersToStock() throws Exception {
    String said = restartStandbyWith(null);
    assertThat(said).contains("Tierwise placement is on", "storage types");
    assertThat(typesOfANewFile("/warehouse/other-tiers"))
        .containsExactly(StorageType.DISK, StorageType.DISK, StorageType.DISK);
  }

  /** Restarts the standby of the first two with another tier table, and makes it active. */
  private static String restartStandbyWith(String tierTable) throws Exception {
    int active = mini.getNameNode(0).isActiveState() ? 0 : 1;
    int standby = 1 - active;
    Configuration server = mini.getConfiguration(standby);
    if (tierTable == null) {
      server.unset("tierwise.tiers.file");
    } else {
      server.set("tierwise.tiers.file", tierTable);
    }
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(PLUGIN));
    try {
      mini.restartNameNode(standby, false);
      mini.waitActive(standby);
    } finally {
      log.stopCapturing();
    }
    assertThat(run(new DFSAdmin(), "-safemode", "wait")).isZero();
    assertThat(run(new DFSHAAdmin(), "-failover", IDS.get(active), IDS.get(standby))).isZero();
    return log.getOutput();
  }

  private static List<StorageType> typesOfANewFile(String name) throws Exception {
    try (DistributedFileSystem fs = connect()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
      write(fs, file);
      return typesOf(fs, file);
    }
  }

  private static int exitCode(Line line) throws Exception {
    if (line.startsWith("bin/tierwise")) {
      List<String> words = new ArrayList<>(Arrays.asList(line.arguments(1)));
      words.addAll(List.of("--conf", conf.toString()));
      CommandRun run = CommandRun.of(words.toArray(String[]::new));
      assertThat(run.err()).as(line.toString()).isEmpty();
      return run.exitCode();
    }
    if (line.startsWith("hdfs", "haadmin", "-transitionToObserver")) {
      return confirmed(line.arguments(2));
    }
    if (line.startsWith("hdfs", "haadmin")) {
      return run(new DFSHAAdmin(), line.arguments(2));
    }
    if (line.startsWith("hdfs", "dfsadmin")) {
      return run(new DFSAdmin(), line.arguments(2));
    }
    if (line.startsWith("hadoop", "daemonlog")) {
      String http = Integer.toString(mini.getNameNode(0).getHttpAddress().getPort());
      String[] words = line.arguments(2);
      words[1] = words[1].replace("nn1.example.com:9870", "127.0.0.1:" + http);
      return logLevel(words);
    }
    int nameNode = IDS.indexOf(line.comment().replace("on ", ""));
    if (line.startsWith("hdfs", "--daemon", "stop", "namenode")) {
      mini.shutdownNameNode(nameNode);
      return 0;
    }
    if (line.startsWith("hdfs", "--daemon", "start", "namenode")) {
      mini.restartNameNode(nameNode, false);
      return 0;
    }
    throw new AssertionError("no way to run " + line);
  }

  /** A process of its own: Hadoop's tool ends its JVM. */
  private static int logLevel(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.apache.hadoop.log.LogLevel");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /** As where failover is automatic, which most clusters have: HDFS asks, or refuses. */
  private static int confirmed(String... arguments) throws Exception {
    InputStream in = System.in;
    System.setIn(new ByteArrayInputStream("Y\n".getBytes(StandardCharsets.US_ASCII)));
    client.setBoolean(DFSConfigKeys.DFS_HA_AUTO_FAILOVER_ENABLED_KEY, true);
    try {
      return run(new DFSHAAdmin(), arguments);
    } finally {
      client.unset(DFSConfigKeys.DFS_HA_AUTO_FAILOVER_ENABLED_KEY);
      System.setIn(in);
    }
  }

  private static int run(Tool tool, String... arguments) throws Exception {
    Configuration tools = new HdfsConfiguration();
    client.forEach(entry -> tools.set(entry.getKey(), entry.getValue()));
    // A process of its own would not find the connection that a restart has cut.
    tools.setInt("ipc.client.connection.maxidletime", ++connectionMillis);
    tools.setBoolean("fs.hdfs.impl.disable.cache", true);
    return ToolRunner.run(tools, tool, arguments);
  }

  private static DistributedFileSystem connect() throws IOException {
    Configuration own = new HdfsConfiguration();
    client.forEach(entry -> own.set(entry.getKey(), entry.getValue()));
    return (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(own), own);
  }

  private static void write(FileSystem fs, org.apache.hadoop.fs.Path file) throws IOException {
    try (FSDataOutputStream out = fs.create(file)) {
      out.writeUTF(file.toString());
    }
  }

  /** Of all its replicas: a file may be closed before the NameNode has heard of each. */
  private static List<StorageType> typesOf(DistributedFileSystem fs, org.apache.hadoop.fs.Path file)
      throws Exception {
    DFSTestUtil.waitReplication(fs, file, (short) 3);
    BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, 1);
    assertThat(blocks).hasSize(1);
    return Arrays.stream(blocks[0].getStorageTypes()).sorted(byName()).toList();
  }

  private static Comparator<StorageType> byName() {
    return Comparator.comparing(StorageType::name);
  }

  /** Writes small files and reads them back until it is stopped; its own client, as a job has. */
  private static final class BusyClient {
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private final List<org.apache.hadoop.fs.Path> files = new ArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Semaphore written = new Semaphore(0);
    private volatile boolean stopped;
    private final Thread thread = new Thread(this::work, "busy-client");

    BusyClient() {
      thread.start();
    }

    private void work() {
      try (DistributedFileSystem fs = connect()) {
        for (int i = 0; !stopped; i++) {
          org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/warehouse/part-" + i);
          write(fs, file);
          try (var in = fs.open(file)) {
            assertThat(in.readUTF()).isEqualTo(file.toString());
          }
          files.add(file);
          written.release();
          LockSupport.parkNanos(PACE_NANOS);
        }
      } catch (IOException | RuntimeException | AssertionError e) {
        failures.add(e.toString());
      }
    }

    /** Waits for the file that may be under way, and for the whole of the next one. */
    void awaitOneBegunNow() throws InterruptedException {
      written.drainPermits();
      assertThat(written.tryAcquire(2, 5, TimeUnit.MINUTES))
          .as("two files were written; failures: %s", failures)
          .isTrue();
    }

    /** The bytes that were written; only to be read after this. */
    List<org.apache.hadoop.fs.Path> stop() throws InterruptedException {
      stopped = true;
      thread.join();
      return files;
    }
  }
}
