package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.ReadView;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas of a NameNode share resources: the links of nodes with several devices, and of readers.
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
        links:
          - {hosts: [old], megabytes-per-second: 1}
          - {racks: [/wide*], megabytes-per-second: 1000}
        uplinks:
          - {racks: [/wide*], megabytes-per-second: 100}
        volumes:
          - {storage-ids: [worn-*], read-megabytes-per-second: 5}
        """);
    Configuration conf = new Configuration(false);
    conf.set(TierConfiguration.FILE_KEY, file.toString());
    tiers = new ReplicaTiers(TierConfiguration.load(conf));
  }

  private static DatanodeInfoWithStorage replica(String node, int device) {
    return replica(node, device, "/rack-" + node);
  }

  private static DatanodeInfoWithStorage replica(String node, int device, String rack) {
    DatanodeID id = new DatanodeID(node, node, node, 9866, 9864, 0, 9867);
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder().setNodeID(id).setNetworkLocation(rack).build(),
        node + "-" + device,
        StorageType.SSD);
  }

  /** Orders for a reader who stands on that node or elsewhere; the node that comes first. */
  private String first(int reader, String readersNode, DatanodeInfoWithStorage... replicas) {
    sorted(reader, readersNode, replicas);
    return replicas[0].getHostName();
  }

  private ReplicaSorter sorted(int reader, String at, DatanodeInfoWithStorage... replicas) {
    return sortedAt(1_000, reader, at, replicas);
  }

  private ReplicaSorter sortedAt(
      long millis, int reader, String at, DatanodeInfoWithStorage... replicas) {
    ReplicaSorter sorter =
        new ReplicaSorter(
            tiers,
            storage -> storage.hostName().equals(at) ? NetworkDistance.LOCAL : 4,
            new ReadPath.Reader(reader, millis));
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

  /**
   * The near replica is on a busy device: it is worth reading only when no other one comes through.
   */
  @Test
  void aReaderWhoseLinkIsFullTakesWhatIsNear() {
    for (int reader = 1; reader <= 30; reader++) {
      answer(READER + reader, "c", replica("c", 1));
    }
    assertThat(first(READER, "c", replica("b", 1), replica("c", 1))).isEqualTo("b");
    answer(READER, "c", replica("a", 1));
    assertThat(first(READER, "c", replica("b", 1), replica("c", 1))).isEqualTo("c");
  }

  /** The setting says 10 MB/s for all, the tier file 1 MB/s for that node. */
  @Test
  void aNodeWhoseLinkIsSaidToBeSlowComesLast() {
    for (int i = 0; i < TRIES; i++) {
      assertThat(first(READER, "outside", replica("old", 1), replica("b", 1))).isEqualTo("b");
    }
    assertThat(first(READER, "old", replica("old", 1), replica("b", 1)))
        .as("its own reader needs no link")
        .isEqualTo("old");
  }

  /** Its tier gives 500 MB/s, links 10, that volume was measured at 5. */
  @Test
  void aVolumeThatWasMeasuredSlowerThanItsTierComesLast() {
    for (int i = 0; i < TRIES; i++) {
      assertThat(first(READER, "outside", replica("worn", 1), replica("b", 1))).isEqualTo("b");
    }
  }

  @Test
  void aNodeWhoseLinkWasSeenSlowComesLastUntilNobodySaysSo() {
    DatanodeInfoWithStorage[] replicas = {replica("a", 1), replica("b", 1)};
    tiers.linkShares(Map.of("a", 0.1));
    for (int i = 0; i < TRIES; i++) {
      assertThat(first(READER, "outside", replicas.clone())).isEqualTo("b");
    }
    assertThat(first(READER, "a", replicas.clone())).as("its own reader").isEqualTo("a");
    tiers.linkShares(Map.of());
    int taken = 0;
    for (int i = 0; i < TRIES; i++) {
      taken += first(READER, "outside", replicas.clone()).equals("a") ? 1 : 0;
    }
    assertThat(taken).isBetween(1, TRIES - 1);
  }

  /** Two nodes of one rack share its uplink, whichever of them is read. */
  @Test
  void readersOfARackShareItsUplink() {
    DatanodeInfoWithStorage sibling = replica("w1", 1, "/wide1");
    fromRack("/wide3", 1, sibling).answered(pick, REQUEST, 1);
    for (int i = 0; i < TRIES; i++) {
      DatanodeInfoWithStorage[] replicas = {replica("w2", 1, "/wide1"), replica("w3", 1, "/wide2")};
      fromRack("/wide4", 2 + i, replicas);
      assertThat(replicas[0].getHostName()).as("from another rack").isEqualTo("w3");
    }
    int taken = 0;
    for (int i = 0; i < TRIES; i++) {
      DatanodeInfoWithStorage[] replicas = {replica("w2", 1, "/wide1"), replica("w4", 1, "/wide1")};
      fromRack("/wide1", 100 + i, replicas);
      taken += replicas[0].getHostName().equals("w2") ? 1 : 0;
    }
    assertThat(taken).as("inside the rack its uplink is no part").isBetween(1, TRIES - 1);
  }

  @Test
  void pathsAreAsLongAsWhatIsKnownOfThem() {
    ReplicaSorter known = fromRack("/wide3", 1, replica("w1", 1, "/wide1"));
    assertThat(known.pathLength(0)).isEqualTo(5);
    assertThat(known.pathBytesPerSecond(0, 1)).isEqualTo(1000e6);
    assertThat(known.pathBytesPerSecond(0, 2)).isEqualTo(100e6);
    assertThat(known.pathBytesPerSecond(0, 3)).isEqualTo(100e6);
    assertThat(known.pathKey(0, 2)).isNotEqualTo(known.pathKey(0, 3));
    ReplicaSorter half = fromRack("/elsewhere", 1, replica("w1", 1, "/wide1"));
    assertThat(half.pathLength(0)).isEqualTo(4);
    assertThat(half.pathBytesPerSecond(0, 2)).isEqualTo(100e6);
    assertThat(half.pathBytesPerSecond(0, 3)).as("its own link").isNaN();
    assertThat(fromRack("/wide1", 1, replica("w1", 1, "/wide1")).pathLength(0)).isEqualTo(3);
    assertThatThrownBy(() -> half.pathKey(0, 4)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private ReplicaSorter fromRack(String rack, int reader, DatanodeInfoWithStorage... replicas) {
    NodeBase host = new NodeBase("outsider-" + reader, rack);
    ReplicaSorter sorter =
        new ReplicaSorter(
            tiers,
            storage -> NetworkDistance.betweenNodes(rack, storage.networkLocation()),
            new ReadPath.Reader(reader, 1_000, tiers.linksOf(host)));
    sorter.sort(pick, REQUEST, replicas, replicas.length, random);
    return sorter;
  }

  /** Counts of a time that makes no sense are forgotten; no replica is. */
  @Test
  void aClockThatJumpsForgetsCountsAndDropsNoReplica() {
    DatanodeInfoWithStorage[] replicas = {replica("a", 1), replica("b", 1), replica("c", 1)};
    long[] clock = {1_000, Long.MAX_VALUE, Long.MIN_VALUE, 0, -5, 1L << 40, 1_000, 1_001};
    for (long millis : clock) {
      for (int answer = 0; answer < 2 * replicas.length; answer++) {
        DatanodeInfoWithStorage[] told = replicas.clone();
        sortedAt(millis, READER + answer, "outside", told).answered(pick, REQUEST, 1);
        assertThat(told).containsExactlyInAnyOrder(replicas);
      }
    }
    long hourLater = 3_600_000;
    for (int reader = 0; reader < 2; reader++) {
      sortedAt(hourLater, reader, "outside", replica("a", 1)).answered(pick, REQUEST, 1);
    }
    DatanodeInfoWithStorage[] told = {replica("a", 1), replica("b", 1)};
    sortedAt(hourLater, READER, "outside", told);
    assertThat(told[0].getHostName()).as("counts anew").isEqualTo("b");
    sortedAt(-hourLater, READER, "outside", told);
    sortedAt(-hourLater, READER + 1, "outside", replica("b", 1)).answered(pick, REQUEST, 1);
    sortedAt(-hourLater, READER, "outside", told);
    assertThat(told[0].getHostName()).as("what was counted later is forgotten").isEqualTo("a");
  }

  @Test
  void anOrderIsRepeatedForTheSameStoragesOnly() {
    DatanodeInfoWithStorage[] told = {replica("a", 1), replica("b", 1), replica("c", 1)};
    ReplicaSorter sorter = sorted(READER, "outside", told);
    DatanodeInfoWithStorage[] again = {replica("c", 1), replica("a", 1), replica("b", 1)};
    assertThat(sorter.repeat(again, again.length)).isTrue();
    assertThat(again).containsExactly(told);
    DatanodeInfoWithStorage[] fewer = {replica("c", 1), replica("a", 1)};
    assertThat(sorter.repeat(fewer, fewer.length)).isFalse();
    DatanodeInfoWithStorage[] others = {replica("c", 1), replica("a", 2), replica("b", 1)};
    assertThat(sorter.repeat(others, others.length)).isFalse();
    assertThat(others).containsExactlyInAnyOrder(replica("c", 1), replica("a", 2), replica("b", 1));
  }

  /** A strategy that answers with these numbers. */
  private record Fixed(int... numbers) implements AccessStrategy {
    @Override
    public String name() {
      return "fixed";
    }

    @Override
    public AccessReason order(
        AccessRequest request, ReadView view, RandomGenerator generator, int[] order) {
      System.arraycopy(numbers, 0, order, 0, numbers.length);
      return AccessReason.SOONEST;
    }
  }

  private void sortAs(DatanodeInfoWithStorage[] replicas, int... order) {
    AccessPick fixed = new AccessPick(0, false, new Fixed(order));
    new ReplicaSorter(tiers, storage -> 4).sort(fixed, REQUEST, replicas, order.length, random);
  }

  /** One sorter, as a thread has: what it noted of one block is no matter for the next. */
  @Test
  void replicasAreMovedAsTheStrategySaysHoweverMany() {
    ReplicaSorter sorter = new ReplicaSorter(tiers, storage -> 4);
    for (int count : new int[] {1, 3, 8, 3, 20, 2}) {
      for (int draw = 0; draw < 20; draw++) {
        int[] order = shuffled(count);
        DatanodeInfoWithStorage[] given = new DatanodeInfoWithStorage[count + 1];
        Arrays.setAll(given, node -> replica("n" + node, 1));
        DatanodeInfoWithStorage[] told = given.clone();
        sorter.sort(new AccessPick(0, false, new Fixed(order)), REQUEST, told, count, random);
        for (int place = 0; place < count; place++) {
          assertThat(told[place]).isSameAs(given[order[place]]);
        }
        assertThat(told[count]).as("not active").isSameAs(given[count]);
      }
    }
  }

  private int[] shuffled(int count) {
    int[] order = new int[count];
    for (int i = 1; i < count; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }

  @Test
  void anAnswerThatIsNoPermutationMovesNothing() {
    for (int[] wrong : new int[][] {{1, 0, 1}, {0, 1, 3}, {2, -1, 0}, {0, 0, 0}}) {
      DatanodeInfoWithStorage[] told = {replica("a", 1), replica("b", 1), replica("c", 1)};
      DatanodeInfoWithStorage[] given = told.clone();
      assertThatThrownBy(() -> sortAs(told, wrong))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("fixed gave no permutation of 3 replicas");
      assertThat(told).containsExactly(given);
    }
  }
}
