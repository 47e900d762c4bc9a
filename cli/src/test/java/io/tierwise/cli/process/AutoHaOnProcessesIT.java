package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code auto} in NameNodes that are processes: three observers that each count a third of the
 * reads, and a standby that takes over from an active one that was killed.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AutoHaOnProcessesIT {
  private static final int FIRST_OBSERVER = 2;
  private static final int OBSERVERS = 3;
  private static final int NODES = 3;
  private static final int READS_OF_EACH = 12;
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");

  /** By configuration so slow that what is counted stays while a test runs. */
  private static final String TIERS =
      """
      tiers:
        - {name: disk, match: {storage-type: DISK}, class: {name: d, read-megabytes-per-second: 0.001}}
      """;

  @TempDir private static Path folder;
  private static HaProcesses hdfs;
  private static byte[] data;

  @BeforeAll
  static void start() throws IOException {
    hdfs = HaProcesses.start(folder, FIRST_OBSERVER + OBSERVERS, AutoProcesses.KEYS, TIERS);
    for (int node = 0; node < NODES; node++) {
      hdfs.startDataNode();
    }
    try (FileSystem client = client(Map.of())) {
      data = AutoProcesses.write(client, FILE, 1 << 16, NODES, 1 << 20);
    }
    for (int observer = 0; observer < OBSERVERS; observer++) {
      hdfs.admin("-transitionToObserver", HaProcesses.name(FIRST_OBSERVER + observer));
    }
  }

  @AfterAll
  static void stop() {
    if (hdfs != null) {
      hdfs.close();
    }
  }

  private static FileSystem client(Map<String, String> keys) throws IOException {
    return AutoProcesses.client(hdfs.client(keys), "auto");
  }

  private static FileSystem clientOf(int observer) throws IOException {
    return client(
        Map.of(
            "dfs.ha.namenodes." + HaProcesses.SERVICE,
            String.join(",", HaProcesses.name(0), HaProcesses.name(1), HaProcesses.name(observer)),
            "dfs.client.failover.proxy.provider." + HaProcesses.SERVICE,
            ObserverReadProxyProvider.class.getName()));
  }

  private static double counted(int nameNode) throws IOException {
    var topology = hdfs.bean(nameNode, "TierwiseTopology");
    assertThat(topology.path("OrderFailures").asLong(-1)).isZero();
    return topology.path("CountedReads").asDouble();
  }

  /** Says which node gave the file. */
  private static String read(FileSystem client) throws IOException {
    try (FSDataInputStream in = client.open(FILE)) {
      assertThat(in.readAllBytes()).isEqualTo(data);
      return ((HdfsDataInputStream) in).getCurrentDatanode().getDatanodeUuid();
    }
  }

  @Test
  @Order(1)
  void eachOfThreeObserversCountsItsThirdAndTheReadersOfAllAreSpread() throws IOException {
    List<FileSystem> clients = new ArrayList<>();
    for (int number = 0; number < OBSERVERS; number++) {
      int observer = FIRST_OBSERVER + number;
      FileSystem client = clientOf(observer);
      clients.add(client);
      // An observer that lags behind, or has not heard of all replicas, leaves it to the active.
      hdfs.processes()
          .await(
              HaProcesses.name(observer) + " to answer readers",
              () -> {
                double before = counted(observer);
                read(client);
                return counted(observer) == before + 1;
              });
    }
    double[] before = counts();
    Map<String, Integer> nodes = new TreeMap<>();
    for (int read = 0; read < READS_OF_EACH; read++) {
      for (FileSystem client : clients) {
        nodes.merge(read(client), 1, Integer::sum);
      }
    }
    double[] after = counts();
    for (int nameNode = 0; nameNode < after.length; nameNode++) {
      assertThat(after[nameNode] - before[nameNode])
          .as("reads that %s counted", HaProcesses.name(nameNode))
          .isEqualTo(nameNode < FIRST_OBSERVER ? 0 : READS_OF_EACH);
    }
    assertThat(nodes).hasSize(NODES);
    assertThat(nodes.values()).allMatch(reads -> reads >= OBSERVERS * READS_OF_EACH / NODES / 2);
    for (FileSystem client : clients) {
      client.close();
    }
  }

  private static double[] counts() throws IOException {
    double[] counts = new double[FIRST_OBSERVER + OBSERVERS];
    for (int nameNode = 0; nameNode < counts.length; nameNode++) {
      counts[nameNode] = counted(nameNode);
    }
    return counts;
  }

  /** Its counts are lost with it; who takes over needs one answer to be as good. */
  @Test
  @Order(2)
  void afterTheActiveOneWasKilledReadersAreSpreadFromTheSecondAnswerOn() throws IOException {
    try (FileSystem client = client(Map.of())) {
      for (int read = 0; read < READS_OF_EACH; read++) {
        read(client);
      }
      long killed = System.nanoTime();
      hdfs.processes().kill(HaProcesses.name(0));
      // By force: the one that was active cannot be asked any more.
      hdfs.admin("-transitionToActive", "--forceactive", HaProcesses.name(1));
      double before = counted(1);
      Set<String> nodes = new TreeSet<>();
      for (int read = 0; read < NODES; read++) {
        nodes.add(read(client));
      }
      System.out.printf(
          "spread again %.1f s after the kill, in %d reads%n",
          (System.nanoTime() - killed) / 1e9, NODES);
      assertThat(nodes).hasSize(NODES);
      assertThat(counted(1) - before).isEqualTo(NODES);
    }
  }
}
