package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AdaptiveState;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.Test;

/** A strategy is told of the visits of a stream, and no read fails for that. */
class StreamReadsTest {
  private static final long MEGABYTE = 1 << 20;
  private static final AccessSession AUTO = AccessSession.of(AccessStrategies.parse("auto"));

  private final TierConfiguration tiers = TierConfiguration.byStorageType();
  private final LocatedBlockOrder order = LocatedBlockOrder.of(new Configuration(false), tiers);
  private final OnceLog failures = new OnceLog("reads are not followed");
  private final ReadTracker tracker =
      new ReadTracker(new TierReads(tiers.table()), order, failures);

  private static DatanodeInfoWithStorage replica(String node) {
    DatanodeID id = new DatanodeID(node, node, node, 9866, 9864, 0, 9867);
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder().setNodeID(id).setNetworkLocation("/rack").build(),
        node + "-volume",
        StorageType.DISK);
  }

  @Test
  void refusalsAndTimesCountForTheReadThatTheyDelayedAndForNoLaterOne() {
    AccessSession session = AccessSession.of(AccessStrategies.parse("adaptive"));
    AdaptiveState learnt = session.state().orElseThrow();
    StreamReads reads = new StreamReads(tracker, session, 1, session.pick(1), null);
    reads.chose(replica("a"), 0);
    reads.refused();
    reads.chose(replica("b"), 0);
    reads.refused();
    reads.chose(replica("c"), 0);
    reads.addNanos(TimeUnit.SECONDS.toNanos(1));
    reads.chose(replica("a"), MEGABYTE);
    assertThat(learnt.costSeconds()).as("two refusals").isCloseTo(1.2, within(1e-9));
    reads.addNanos(TimeUnit.SECONDS.toNanos(2));
    reads.close(2 * MEGABYTE);
    assertThat(learnt.costSeconds()).as("and none").isCloseTo(3.2, within(1e-9));
    assertThat(learnt.readCount()).isEqualTo(2);
  }

  @Test
  void whatFailsAboutAChosenReplicaFailsNoRead() {
    VisitWatch broken = new VisitWatch(null, order);
    StreamReads reads = new StreamReads(tracker, AUTO, 1, null, broken);
    reads.chose(replica("a"), 0);
    assertThat(failures.failureCount()).isOne();
    reads.addNanos(TimeUnit.SECONDS.toNanos(1));
    assertThat(reads.leaves(null)).isFalse();
    reads.chose(replica("b"), MEGABYTE);
    reads.close(2 * MEGABYTE);
    assertThat(failures.failureCount()).as("nobody watches it any more").isOne();
  }

  @Test
  void aLookThatFailsFailsNoReadAndIsTheLastOne() {
    SlowReads slowReads = AUTO.strategy().slowReads(ReadSpeeds::new).orElseThrow();
    StreamReads reads = new StreamReads(tracker, AUTO, 1, null, new VisitWatch(slowReads, order));
    reads.chose(replica("a"), 0);
    reads.addNanos(TimeUnit.SECONDS.toNanos(1));
    // A stream that cannot be asked for anything.
    assertThat(reads.leaves(null)).isFalse();
    assertThat(reads.leaves(null)).isFalse();
    assertThat(failures.failureCount()).isOne();
  }
}
