package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.topology.OrderKeys;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several NameNodes answer, and each knows of its own answers only. */
@Tag("long")
class ThreeObserversIT {
  private static final int OBSERVERS = 3;
  private static final int NODES = 3;
  private static final int READS_OF_EACH = 8;
  private static final byte[] DATA = new byte[ObserverCluster.BLOCK_BYTES];
  private static final Path FILE = new Path("/file");

  private static ObserverCluster cluster;

  /** By configuration so slow that what is counted stays while a test runs. */
  private static final String SLOW_DISKS =
      """
      tiers:
        - name: disk
          match: {storage-type: DISK}
          class: {name: slow-disk, read-megabytes-per-second: 0.0001}
      """;

  @BeforeAll
  static void start(@TempDir File folder) throws IOException {
    cluster = ObserverCluster.start(NODES, OrderKeys.of("auto", folder, SLOW_DISKS), OBSERVERS);
    try (TierwiseFileSystem client = cluster.fileSystem(Map.of());
        OutputStream out = client.create(FILE)) {
      out.write(DATA);
    }
    awaitReplicas(cluster.active());
    for (int observer = 0; observer < OBSERVERS; observer++) {
      awaitReplicas(cluster.observer() + observer);
    }
    // The reports of nodes depend on the moment.
    for (DataNode node : cluster.mini().getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
    }
  }

  /** A standby NameNode answers nobody. */
  private static void awaitReplicas(int nameNode) {
    ObserverCluster.await(() -> cluster.knowsReplicas(nameNode, FILE, NODES));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void eachCountsItsThirdAndTheReadersOfAllAreSpread() throws IOException {
    List<TierwiseFileSystem> clients = new ArrayList<>();
    for (int number = 0; number < OBSERVERS; number++) {
      int observer = cluster.observer() + number;
      clients.add(cluster.fileSystemAt(observer, Map.of(ClientKeys.STRATEGY, "auto")));
      ObserverCluster.await(
          () -> {
            try {
              read(clients.get(clients.size() - 1));
              return cluster.isFrom(clients.get(clients.size() - 1), observer);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
    double[] before = counts();
    Map<String, Integer> nodes = new TreeMap<>();
    for (int read = 0; read < READS_OF_EACH; read++) {
      for (TierwiseFileSystem client : clients) {
        nodes.merge(read(client), 1, Integer::sum);
      }
    }
    double[] after = counts();
    for (int nameNode = 0; nameNode < after.length; nameNode++) {
      assertThat(after[nameNode] - before[nameNode])
          .as("reads that NameNode %s counted", nameNode)
          .isEqualTo(nameNode < cluster.observer() ? 0 : READS_OF_EACH);
    }
    assertThat(nodes).hasSize(NODES);
    assertThat(nodes.values()).allMatch(reads -> reads >= OBSERVERS * READS_OF_EACH / NODES / 2);
    for (TierwiseFileSystem client : clients) {
      client.close();
    }
  }

  /** It knows of no reader of the other one, and is good again after one answer. */
  @Test
  void theNameNodeThatTakesOverSpreadsReadersFromItsSecondAnswerOn() throws IOException {
    String provider = Failover.PROXY_PROVIDER_KEY_PREFIX + "." + MiniQJMHACluster.NAMESERVICE;
    Map<String, String> ofActive =
        Map.of(
            ClientKeys.STRATEGY, "auto", provider, ConfiguredFailoverProxyProvider.class.getName());
    try (TierwiseFileSystem client = cluster.fileSystem(ofActive)) {
      for (int read = 0; read < READS_OF_EACH; read++) {
        read(client);
      }
      cluster.failOver();
      awaitReplicas(cluster.active());
      double before = counts()[cluster.active()];
      Set<String> nodes = new TreeSet<>();
      for (int read = 0; read < NODES; read++) {
        nodes.add(read(client));
      }
      assertThat(nodes).hasSize(NODES);
      assertThat(counts()[cluster.active()] - before).isEqualTo(NODES);
    }
  }

  private static double[] counts() {
    double[] counts = new double[cluster.observer() + OBSERVERS];
    for (int nameNode = 0; nameNode < counts.length; nameNode++) {
      TierwiseTopology topology = cluster.topology(nameNode);
      assertThat(topology.failureCount()).isZero();
      counts[nameNode] = topology.countedReads();
    }
    return counts;
  }

  /** Says which node gave the file. */
  private static String read(TierwiseFileSystem client) throws IOException {
    try (FSDataInputStream in = client.open(FILE)) {
      assertThat(in.readAllBytes()).isEqualTo(DATA);
      return ((HdfsDataInputStream) in).getCurrentDatanode().getDatanodeUuid();
    }
  }
}
