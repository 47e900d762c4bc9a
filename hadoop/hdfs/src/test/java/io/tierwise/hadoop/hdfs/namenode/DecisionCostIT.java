package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bytes that a decision allocates on a real NameNode. They do not depend on the machine's speed,
 * and they grow when a decision does something more often or at greater length.
 */
class DecisionCostIT {
  private static final int DECISIONS = 2_000;

  /**
   * Measured: 2,272. The figure of {@code make bench-placement} is smaller: a decision that is
   * asked for often is compiled in full, and the compiler removes some of it.
   */
  private static final double BYTES_MAX = 2_300;

  private static TieredCluster cluster;
  private static BlockPlacementPolicy policy;
  private static BlockStoragePolicy storagePolicy;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(TieredCluster.settings(TieredCluster.THREE_TIERS), "/r1", "/r1", "/r2");
    BlockManager blocks = cluster.mini().getNamesystem().getBlockManager();
    policy = blocks.getBlockPlacementPolicy();
    storagePolicy = blocks.getStoragePolicy("HOT");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A file below as many directories, the first of them under the policy. */
  private static String file(String name, String policy, int directories) throws IOException {
    Path top = cluster.directory("/" + name, policy);
    Path below = new Path(top + "/d".repeat(directories - 1));
    cluster.files().mkdirs(below);
    return cluster.write(new Path(below, "file"), 1, 3).toString();
  }

  private static double bytes(String path, int replicas) {
    decide(path, replicas);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    decide(path, replicas);
    return (threads.getThreadAllocatedBytes(thread) - before) / (double) DECISIONS;
  }

  private static void decide(String path, int replicas) {
    for (int i = 0; i < DECISIONS; i++) {
      DatanodeStorageInfo[] found =
          policy.chooseTarget(
              path,
              replicas,
              null,
              List.of(),
              false,
              new HashSet<>(),
              TieredCluster.BLOCK_BYTES,
              storagePolicy,
              EnumSet.noneOf(AddBlockFlag.class));
      assertThat(found.length).isEqualTo(replicas);
    }
  }

  @Test
  void aDecisionTakesLittleMemory() throws IOException {
    assertThat(bytes(file("managed", "hybrid", 2), 3)).isLessThan(BYTES_MAX);
  }

  @Test
  void aLongerPathCostsOneLookMoreForEachDirectory() throws IOException {
    for (String specification : new String[] {"hybrid", null}) {
      String name = specification == null ? "plain" : specification;
      double at4 = bytes(file(name + 4, specification, 4), 1);
      double at16 = bytes(file(name + 16, specification, 16), 1);
      double at64 = bytes(file(name + 64, specification, 64), 1);
      // Four times the directories more, hence four times the bytes more; 600 are the warm-up's.
      assertThat(at64 - at16).as(name).isLessThan(6 * Math.max(0, at16 - at4) + 600);
    }
  }
}
