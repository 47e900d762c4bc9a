package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.access.AccessSession;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When HDFS's order by distance is made, and when it would be for nothing. */
class TierwiseTopologyTest {
  private static final int NODES = 3;

  private final TierwiseTopology topology = new TierwiseTopology();
  private final DatanodeInfoWithStorage[] replicas = new DatanodeInfoWithStorage[NODES];
  private int secondarySorts;

  private void start(String strategy) {
    Configuration conf = new Configuration(false);
    conf.set(TierwiseTopology.STRATEGY, strategy);
    topology.setConf(conf);
    Arrays.setAll(replicas, node -> replica(node, StorageType.DISK));
  }

  private static DatanodeInfoWithStorage replica(int node, StorageType type) {
    DatanodeInfo info =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setIpAddr("10.0.0." + node)
            .setHostName("host" + node)
            .setDatanodeUuid("uuid" + node)
            .setNetworkLocation("/rack" + node)
            .build();
    return new DatanodeInfoWithStorage(info, "DS-" + node, type);
  }

  private List<String> hosts() {
    return Arrays.stream(replicas).map(DatanodeInfo::getHostName).toList();
  }

  private void sort(NodeBase reader) {
    topology.sortByDistanceUsingNetworkLocation(
        reader,
        replicas,
        NODES,
        equals -> {
          secondarySorts++;
          Collections.shuffle(equals);
        });
    assertThat(hosts()).containsExactlyInAnyOrder("host0", "host1", "host2");
  }

  @Test
  void whatWeighsDistanceItselfNeedsNoOrderBefore() {
    start("auto");
    for (int near = 0; near < NODES; near++) {
      sort(new NodeBase("host" + near, "/rack" + near));
      assertThat(hosts().get(0)).isEqualTo("host" + near);
    }
    assertThat(secondarySorts).isZero();
    assertThat(topology.orderedBlockCount()).isEqualTo(NODES);
  }

  @Test
  void otherStrategiesAreShownTheNearestFirst() {
    start("greedy");
    sort(new NodeBase("elsewhere", "/rack1"));
    assertThat(hosts().get(0)).isEqualTo("host1");
    assertThat(secondarySorts).isPositive();
  }

  /** Storage outside the cluster stays behind, in the order by distance. */
  @Test
  void storageOutsideTheClusterIsOrderedByDistanceFirst() {
    start("auto");
    replicas[0] = replica(0, StorageType.PROVIDED);
    sort(new NodeBase("elsewhere", "/rack0"));
    assertThat(hosts().get(NODES - 1)).isEqualTo("host0");
    assertThat(secondarySorts).isPositive();
  }

  /** Of equals each is second now and then, as after HDFS's own order. */
  @Test
  void noReplicaIsBehindItsEqualsForever() {
    start("auto");
    boolean[] wasLast = new boolean[NODES];
    for (int read = 0; read < 200; read++) {
      Arrays.setAll(replicas, node -> replica(node, StorageType.DISK));
      sort(new NodeBase("elsewhere", "/far"));
      wasLast[hosts().get(NODES - 1).charAt(4) - '0'] = true;
    }
    assertThat(wasLast).containsOnly(true);
  }

  @Test
  void anErrorLeavesTheOrderByDistance() {
    start("auto");
    sort(new FailingOnce("elsewhere", "/rack2"));
    assertThat(hosts().get(0)).isEqualTo("host2");
    assertThat(topology.failureCount()).isEqualTo(1);
    assertThat(secondarySorts).isPositive();
  }

  static Stream<AccessSession> sessionsThatFail() {
    return Stream.of(null, AccessSession.of(new FailingAside()));
  }

  /** The NameNode starts although a strategy of another jar does not. */
  @ParameterizedTest
  @MethodSource("sessionsThatFail")
  void aStrategyThatCannotStartLeavesTheOrderByDistance(AccessSession session) {
    TierwiseTopology failing =
        new TierwiseTopology() {
          @Override
          AccessSession session(String spec) {
            if (session == null) {
              throw new NoClassDefFoundError("planted");
            }
            return session;
          }
        };
    Configuration conf = new Configuration(false);
    conf.set(TierwiseTopology.STRATEGY, "failing-aside");
    failing.setConf(conf);
    Arrays.setAll(replicas, node -> replica(node, StorageType.DISK));
    failing.sortByDistanceUsingNetworkLocation(
        new NodeBase("elsewhere", "/rack1"), replicas, NODES, equals -> secondarySorts++);

    assertThat(hosts().get(0)).isEqualTo("host1");
    assertThat(failing.orderedBlockCount()).isZero();
    assertThat(secondarySorts).isPositive();
  }

  /** Fails when it is asked for more than an order. */
  private record FailingAside() implements AsListed {
    @Override
    public String name() {
      return "failing-aside";
    }

    @Override
    public boolean asksForReports() {
      throw new NoSuchMethodError("planted");
    }
  }

  /** A reader whose name cannot be told at first. */
  private static final class FailingOnce extends NodeBase {
    private boolean failed;

    FailingOnce(String name, String location) {
      super(name, location);
    }

    @Override
    public String getName() {
      if (!failed) {
        failed = true;
        throw new IllegalStateException("planted");
      }
      return super.getName();
    }
  }
}
