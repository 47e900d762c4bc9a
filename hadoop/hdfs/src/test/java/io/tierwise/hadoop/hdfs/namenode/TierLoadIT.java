package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Load is compared inside a tier, on a cluster with every default of Hadoop's. {@link
 * TierLoadSizesIT} has more sizes.
 */
class TierLoadIT {
  private static final int FILES = 10;

  private static TierLoadCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = new TierLoadCluster(10, 1, 3, 5);
  }

  /** The tests share the cluster: one leaves a node that is still known as busy. */
  @BeforeEach
  void awaitIdle() throws Exception {
    cluster.awaitIdle();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"t1, 1", "t3, 3", "t10, 3"})
  void oneWriterOnAnIdleClusterStaysOnItsTierWhicheverNodesHeartbeatsAreOld(
      String tier, int replicas) throws IOException {
    Path directory = cluster.directory("old", tier, replicas);
    cluster.writeWithOldHeartbeats(directory, FILES, replicas);
    cluster.assertAllOn(tier, directory, FILES, replicas);
  }

  @Test
  void anOverloadedNodeIsAvoidedForItsTierAndTheFallbackIsCountedWithItsReason() throws Exception {
    Path three = cluster.directory("busy", "t3", 3);
    Path five = cluster.directory("busy", "t5", 3);
    String ofThree = cluster.firstHost("t3");
    String ofFive = cluster.firstHost("t5");
    List<FSDataOutputStream> open = new ArrayList<>();
    try {
      open.addAll(cluster.load(ofThree, 40));
      open.addAll(cluster.load(ofFive, 40));
      cluster.tick();
      long before = cluster.fallbacks("t3", "overloaded");
      cluster.write(three, FILES, 3);
      cluster.write(five, FILES, 3);
      assertThat(cluster.placed(three, FILES, 3)).doesNotContain("t3@" + ofThree);
      assertThat(cluster.fallbacks("t3", "overloaded") - before).isEqualTo(FILES);
      assertThat(cluster.placed(five, FILES, 3)).doesNotContain("t5@" + ofFive);
      cluster.assertAllOn("t5", five, FILES, 3);
      assertThat(cluster.fallbacks("t5", "overloaded")).isZero();
    } finally {
      for (FSDataOutputStream out : open) {
        out.close();
      }
    }
  }
}
