package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.TierTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Placement where nobody wrote a tier table: the tiers are HDFS's storage types. */
class NoTierTableIT {
  private static final int FILES = 30;
  private static final String[] RACKS = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"};

  private TieredCluster cluster;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void start(StorageType[]... types) throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.unset("tierwise.tiers.file");
    cluster = TieredCluster.start(conf, Arrays.copyOf(RACKS, types.length), types, null);
  }

  private static StorageType[] both() {
    return new StorageType[] {StorageType.SSD, StorageType.DISK};
  }

  private static StorageType[] only(StorageType type) {
    return new StorageType[] {type, type};
  }

  private List<String> counted() {
    TierTable tiers = cluster.host().views().index().tiers;
    return IntStream.range(0, tiers.countedCount())
        .mapToObj(place -> tiers.tier(tiers.counted(place)).name())
        .toList();
  }

  /** Replicas on SSD of each file of one block. */
  private List<Long> fastReplicas(String directory, int files) throws IOException {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      Path file = cluster.write(new Path(directory, "file" + i), 1, 3);
      counts.add(
          Arrays.stream(cluster.blocks(file).get(0).getStorageTypes())
              .filter(type -> type == StorageType.SSD)
              .count());
    }
    return counts;
  }

  @Test
  void hybridAndTierAwarePutOneReplicaInThreeOnTheSsdsOfTheUsualCluster() throws IOException {
    start(both(), both(), both(), both(), both(), both());
    TieredCluster.await(
        "all nodes in view", () -> cluster.host().views().current().nodes.length == RACKS.length);
    assertThat(counted()).containsExactly("ssd", "disk");

    for (String policy : List.of("hybrid", "tier-aware")) {
      cluster.directory("/" + policy, policy);
      assertThat(fastReplicas("/" + policy, FILES)).as(policy).hasSize(FILES).containsOnly(1L);
    }
    assertThat(cluster.counters().fallbacks()).as("nothing was given up").isEmpty();

    cluster.directory("/ratio", "zone-ratio:0.5");
    Path file = cluster.write(new Path("/ratio/file"), 8, 2);
    assertThat(cluster.blocksIn("fast", file)).isEqualTo(4);
    assertThat(cluster.blocksIn("middle", file)).isEqualTo(4);

    for (int walk = 0; walk < 2; walk++) {
      long before = cluster.monitor().walks();
      cluster.monitor().walkNow();
      TieredCluster.await("a whole walk", () -> cluster.monitor().walks() > before);
    }
    assertThat(cluster.monitor().backlog().first(10, Monitor.nowSeconds())).isEmpty();
  }

  /** Long: RepairIT has nodes that go and come. */
  @Tag("long")
  @Test
  void aTierWhoseOnlyNodeGoesCountsOnAndOneThatComesLateCountsThen() throws IOException {
    start(
        only(StorageType.DISK),
        only(StorageType.DISK),
        only(StorageType.DISK),
        only(StorageType.SSD));
    cluster.directory("/hybrid", "hybrid");
    cluster.directory("/ratio", "zone-ratio:0.5");
    TieredCluster.await("all nodes seen", () -> counted().equals(List.of("ssd", "disk")));

    DataNodeProperties fast = cluster.mini().stopDataNode(3);
    TieredCluster.await(
        "three nodes in view", () -> cluster.host().views().current().nodes.length == 3);
    assertThat(counted()).as("the policy stays").containsExactly("ssd", "disk");
    assertThat(fastReplicas("/hybrid", 1)).containsExactly(0L);

    cluster.mini().restartNameNode(0);
    cluster.mini().waitActive();
    TieredCluster.await("all that this one knows", () -> counted().equals(List.of("disk")));
    assertThat(fastReplicas("/ratio", 1)).as("left to stock HDFS").containsExactly(0L);

    cluster.mini().restartDataNode(fast, false);
    TieredCluster.await("it counts", () -> counted().equals(List.of("ssd", "disk")));
    assertThat(fastReplicas("/hybrid", 3)).containsOnly(1L);
    assertThat(cluster.host().views().index().tiers.count()).isEqualTo(5);
  }
}
