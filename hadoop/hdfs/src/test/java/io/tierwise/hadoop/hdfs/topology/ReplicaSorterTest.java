package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the replicas of a NameNode share: the links of nodes with several devices, and of readers.
 */
class ReplicaSorterTest {
  private static final int BLOCK_BYTES = 128 << 20;
  private static final AccessRequest REQUEST = new AccessRequest(1, 0, BLOCK_BYTES, -1);
  private static final int TRIES = 50;
  private static final int READER = 77;

  private ReplicaTiers tiers;

  /** Links are slower than what is behind them, as at 1 Gbit/s. */
  private final AccessPick pick =
      AccessSession.of(AccessStrategies.parse("auto:link-megabytes-per-second=10")).pick(0);

  private final SplittableRandom random = new SplittableRandom(1);

  @BeforeEach
  void readTiers(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("tiers.yaml");
    Files.writeString(
        file,
        """
        tiers:
          - name: fast
            match: {storage-type: SSD}
            class: {name: fast, read-megabytes-per-second: 500}
        """);
    Configuration conf = new Configuration(false);
    conf.set(TierConfiguration.FILE_KEY, file.toString());
    tiers = new ReplicaTiers(TierConfiguration.load(conf));
  }

  private static DatanodeInfoWithStorage replica(String node, int device) {
    DatanodeID id = new DatanodeID(node, node, node, 9866, 9864, 0, 9867);
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder().setNodeID(id).setNetworkLocation("/rack-" + node).build(),
        node + "-" + device,
        StorageType.SSD);
  }

  /** Orders for a reader who stands on that node or elsewhere; the node that comes first. */
  private String first(int reader, String readersNode, DatanodeInfoWithStorage... replicas) {
    sorted(reader, readersNode, replicas);
    return replicas[0].getHostName();
  }

  private ReplicaSorter sorted(int reader, String at, DatanodeInfoWithStorage... replicas) {
    ReplicaSorter sorter =
        new ReplicaSorter(
            tiers,
            storage -> storage.hostName().equals(at) ? NetworkDistance.LOCAL : 4,
            new ReplicaSorter.Reader(reader, 1_000));
    sorter.sort(pick, REQUEST, replicas, replicas.length, random);
    return sorter;
  }

  private void answer(int reader, String at, DatanodeInfoWithStorage replica) {
    sorted(reader, at, replica).answered(pick, REQUEST, 1);
  }

  @Test
  void devicesOfOneNodeShareItsLink() {
    answer(READER, "outside", replica("a", 1));
    for (int i = 0; i < TRIES; i++) {
      assertThat(first(READER + 1, "outside", replica("a", 2), replica("b", 1))).isEqualTo("b");
    }
  }

  @Test
  void whatIsReadOnItsOwnNodePassesNoLink() {
    for (int i = 0; i < 10; i++) {
      answer(READER, "a", replica("a", 1));
    }
    int taken = 0;
    for (int i = 0; i < TRIES; i++) {
      taken += first(READER + 1, "outside", replica("a", 2), replica("b", 1)).equals("a") ? 1 : 0;
    }
    assertThat(taken).as("of two nodes whose links are free").isBetween(1, TRIES - 1);
  }

  /** What is near is on a busy device: it is worth that only when nothing else comes through. */
  @Test
  void aReaderWhoseLinkIsFullTakesWhatIsNear() {
    for (int reader = 1; reader <= 30; reader++) {
      answer(READER + reader, "c", replica("c", 1));
    }
    assertThat(first(READER, "c", replica("b", 1), replica("c", 1))).isEqualTo("b");
    answer(READER, "c", replica("a", 1));
    assertThat(first(READER, "c", replica("b", 1), replica("c", 1))).isEqualTo("c");
  }
}
