package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

/** Each call of {@link #node} makes an object of its own, as each located block has. */
class BlockwiseDeadNodesTest {
  private final ConcurrentHashMap<DatanodeInfo, DatanodeInfo> local = new ConcurrentHashMap<>();
  private final Set<DatanodeInfo> detected = new HashSet<>();
  private final OnceLog failures = new OnceLog("reads are not followed");
  private final StreamReads reads = readsBy(AccessStrategies.parse("sbd"));

  private StreamReads readsBy(AccessStrategy strategy) {
    TierConfiguration tiers = TierConfiguration.byStorageType();
    ReadTracker tracker =
        new ReadTracker(
            new TierReads(tiers.table()),
            LocatedBlockOrder.of(new Configuration(false), tiers),
            failures);
    return new StreamReads(tracker, AccessSession.of(strategy), 1, null, null);
  }

  private static DatanodeInfo node(String uuid) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setIpAddr("10.0.0.1")
        .setHostName("host")
        .setDatanodeUuid(uuid)
        .setXferPort(9866)
        .build();
  }

  /** As Hadoop puts both sources into one map: a detected node takes the place of the stream's. */
  private boolean showsDead(DatanodeInfo node) {
    ConcurrentHashMap<DatanodeInfo, DatanodeInfo> known = new ConcurrentHashMap<>(local);
    detected.forEach(dead -> known.put(dead, dead));
    return new BlockwiseDeadNodes(reads, known, detected::contains).containsKey(node);
  }

  @Test
  void aNodeThatTheDetectorFoundIsDeadForEveryBlock() {
    detected.add(node("a"));
    assertThat(showsDead(node("a"))).isTrue();
    assertThat(showsDead(node("b"))).isFalse();
  }

  @Test
  void aNodeThatFailedTheBlockStaysDeadForItWhenTheDetectorFindsItToo() {
    DatanodeInfo failed = node("a");
    local.put(failed, failed);
    detected.add(node("a"));
    assertThat(showsDead(failed)).isTrue();
    detected.clear();
    assertThat(showsDead(failed)).isTrue();
  }

  @Test
  void aNodeThatTurnedDownAnotherBlockIsAskedAgain() {
    DatanodeInfo failed = node("a");
    local.put(failed, failed);
    assertThat(showsDead(failed)).isTrue();
    assertThat(showsDead(node("a"))).isFalse();
  }

  @Test
  void aNodeThatCouldNotBeReachedStaysDead() {
    DatanodeInfo failed = node("a");
    local.put(failed, failed);
    reads.unreachable(failed);
    assertThat(showsDead(node("a"))).isTrue();
  }

  /** As in stock HDFS, where a node that failed one block is dead for all. */
  @Test
  void aStrategyThatFailsToSayWhatARefusalMeansFailsNoRead() {
    DatanodeInfo failed = node("a");
    local.put(failed, failed);
    StreamReads broken = readsBy(new PlantedStrategies.ThrowingAside());
    BlockwiseDeadNodes dead = new BlockwiseDeadNodes(broken, local, detected::contains);
    assertThat(dead.containsKey(node("a"))).isTrue();
    assertThat(dead.containsKey(node("b"))).isFalse();
    assertThat(failures.failureCount()).isOne();
  }
}
