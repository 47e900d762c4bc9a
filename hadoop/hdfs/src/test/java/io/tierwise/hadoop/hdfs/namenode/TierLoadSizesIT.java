package io.tierwise.hadoop.hdfs.namenode;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link TierLoadIT} on thirty nodes with tiers of 1, 2, 3, 5, 10 and all of them. */
@Tag("long")
class TierLoadSizesIT {
  private static final int FILES = 50;

  private static TierLoadCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = new TierLoadCluster(30, 1, 2, 3, 5, 10);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"t1, 1", "t2, 2", "t3, 3", "t5, 3", "t10, 3", "t30, 3"})
  void oneWriterOnAnIdleClusterStaysOnItsTierWhicheverNodesHeartbeatsAreOld(
      String tier, int replicas) throws IOException {
    Path directory = cluster.directory("old", tier, replicas);
    cluster.writeWithOldHeartbeats(directory, FILES, replicas);
    cluster.assertAllOn(tier, directory, FILES, replicas);
  }

  @ParameterizedTest
  @CsvSource({"t1, 1", "t2, 2", "t3, 3", "t5, 3", "t10, 3", "t30, 3"})
  void aBurstBetweenTwoHeartbeatsStaysOnItsTier(String tier, int replicas) throws IOException {
    Path directory = cluster.directory("burst", tier, replicas);
    cluster.write(directory, FILES, replicas);
    cluster.assertAllOn(tier, directory, FILES, replicas);
  }
}
