package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.Test;

class ReplicaTiersTest {
  private static final int STORAGES = 3_000;
  private static final int THREADS = 4;

  private final ReplicaTiers tiers = new ReplicaTiers(TierConfiguration.byStorageType());

  private static DatanodeInfoWithStorage replica(String storage, String rack) {
    // Each answer of a NameNode makes the description anew; a node that comes back, its id as well.
    String id = String.copyValueOf(storage.toCharArray());
    String node = "node-of-" + storage;
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("10.0.0.1", node, node, 9866, 9864, 0, 9867))
            .setNetworkLocation(rack)
            .build(),
        id,
        StorageType.SSD);
  }

  private ReplicaTiers.Storage of(String storage, String rack) {
    return tiers.of(replica(storage, rack), ReplicaTiers.COMPARED_EACH_TIME);
  }

  /** Java gives both ids one hash, so they share a place however many there are. */
  @Test
  void storagesWhoseIdsHashAlikeAreTwo() {
    assertThat("DS-Aa".hashCode()).isEqualTo("DS-BB".hashCode());
    ReplicaTiers.Storage one = of("DS-Aa", "/r1");
    ReplicaTiers.Storage other = of("DS-BB", "/r2");
    assertThat(one.key()).isNotEqualTo(other.key());
    for (int i = 0; i < 3; i++) {
      assertThat(of("DS-Aa", "/r1")).isSameAs(one);
      assertThat(of("DS-BB", "/r2")).isSameAs(other);
    }
  }

  @Test
  void aStorageWhoseNodeMovesIsSeenInItsNewRackAndIsAnotherResource() {
    ReplicaTiers.Storage before = of("DS-1", "/r1");
    ReplicaTiers.Storage after = of("DS-1", "/r2");
    assertThat(after.networkLocation()).isEqualTo("/r2");
    assertThat(after.key()).isNotEqualTo(before.key());
    assertThat(after.nodeKey()).isEqualTo(before.nodeKey());
    assertThat(of("DS-1", "/r2")).isSameAs(after);
    assertThat(tiers.numbered(after.number())).isSameAs(after);
  }

  @Test
  void allStoragesOfALargeClusterKeepTheirKeys() {
    List<ReplicaTiers.Storage> seen = new ArrayList<>();
    Set<Integer> keys = new HashSet<>();
    for (int storage = 0; storage < STORAGES; storage++) {
      seen.add(of("DS-" + storage, "/r" + storage % 50));
      keys.add(seen.get(storage).key());
    }
    assertThat(keys).hasSize(STORAGES);
    for (int storage = STORAGES - 1; storage >= 0; storage--) {
      assertThat(of("DS-" + storage, "/r" + storage % 50)).isSameAs(seen.get(storage));
    }
  }

  /** While the memory grows, and while nodes move from rack to rack. */
  @Test
  void whatIsFoundIsTheStorageThatWasAskedForWhoeverElseAsks() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        running.add(threads.submit(() -> askAtRandom(random)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void askAtRandom(SplittableRandom random) {
    for (int i = 0; i < 30 * STORAGES; i++) {
      String id = "DS-" + random.nextInt(1 + random.nextInt(STORAGES));
      String rack = "/r" + random.nextInt(2);
      ReplicaTiers.Storage found = of(id, rack);
      assertThat(found.hostName()).isEqualTo("node-of-" + id);
      assertThat(found.networkLocation()).isEqualTo(rack);
    }
  }
}
