package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AdaptiveState;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.Test;

/** What a strategy that learns is told of the visits of a stream. */
class StreamReadsTest {
  private static final long MEGABYTE = 1 << 20;

  private static DatanodeInfoWithStorage replica(String node) {
    DatanodeID id = new DatanodeID(node, node, node, 9866, 9864, 0, 9867);
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder().setNodeID(id).setNetworkLocation("/rack").build(),
        node + "-volume",
        StorageType.DISK);
  }

  @Test
  void refusalsAndTimesCountForTheReadThatTheyDelayedAndForNoLaterOne() {
    TierConfiguration tiers = TierConfiguration.byStorageType();
    ReadTracker tracker =
        new ReadTracker(
            new TierReads(tiers.table()), LocatedBlockOrder.of(new Configuration(false), tiers));
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
}
