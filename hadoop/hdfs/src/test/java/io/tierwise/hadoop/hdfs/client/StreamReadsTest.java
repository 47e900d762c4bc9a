package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AdaptiveState;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;

/** A strategy is told of the visits of a stream, and no read fails for that. */
class StreamReadsTest {
  private static final long MEGABYTE = 1 << 20;
  private static final AccessSession REPORTING = AccessSession.of(AccessStrategies.parse("auto"));
  private static final AccessSession AUTO =
      AccessSession.of(AccessStrategies.parse("auto:reports=false"));

  private final TierConfiguration tiers = TierConfiguration.byStorageType();
  private final LocatedBlockOrder order = LocatedBlockOrder.of(new Configuration(false), tiers);
  private final OnceLog failures = new OnceLog("reads are not followed");
  private final ReadTracker tracker =
      new ReadTracker(new TierReads(tiers.table()), order, failures);

  private long nowNanos;

  private StreamReads reads(AccessSession session, AccessPick pick, VisitWatch watch) {
    return new StreamReads(tracker, session, 1, pick, watch, () -> nowNanos);
  }

  private void waits(long seconds) {
    nowNanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  /** A read of the stream that waits so long for the replica that was chosen before. */
  private void waits(StreamReads reads, long seconds) {
    reads.begin();
    waits(seconds);
    reads.end();
  }

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
    StreamReads reads = reads(session, session.pick(1), null);
    reads.chose(replica("a"), 0);
    reads.refused();
    reads.chose(replica("b"), 0);
    reads.refused();
    reads.chose(replica("c"), 0);
    waits(reads, 1);
    reads.chose(replica("a"), MEGABYTE);
    assertThat(learnt.costSeconds()).as("two refusals").isCloseTo(1.2, within(1e-9));
    waits(reads, 2);
    reads.close(2 * MEGABYTE);
    assertThat(learnt.costSeconds()).as("and none").isCloseTo(3.2, within(1e-9));
    assertThat(learnt.readCount()).isEqualTo(2);
  }

  @Test
  void whatFailsAboutAChosenReplicaFailsNoRead() {
    VisitWatch broken = new VisitWatch(null, order);
    StreamReads reads = reads(AUTO, null, broken);
    reads.chose(replica("a"), 0);
    assertThat(failures.failureCount()).isOne();
    waits(reads, 1);
    assertThat(reads.leaves(null)).isFalse();
    reads.chose(replica("b"), MEGABYTE);
    reads.close(2 * MEGABYTE);
    assertThat(failures.failureCount()).as("nobody watches it any more").isOne();
  }

  @Test
  void aLookThatFailsFailsNoReadAndIsTheLastOne() {
    SlowReads slowReads = AUTO.strategy().slowReads(ReadSpeeds::new).orElseThrow();
    StreamReads reads = reads(AUTO, null, new VisitWatch(slowReads, order));
    reads.chose(replica("a"), 0);
    waits(reads, 1);
    // A stream that cannot be asked for anything.
    assertThat(reads.leaves(null)).isFalse();
    assertThat(reads.leaves(null)).isFalse();
    assertThat(failures.failureCount()).isOne();
  }

  /** In one read: the first replica crawls until the stream gives it up, the second one is fast. */
  @Test
  void whatWasWaitedForOneReplicaIsNotTheNextOnes() {
    ReadSpeeds speeds = new ReadSpeeds();
    SlowReads slowReads = REPORTING.strategy().slowReads(() -> speeds).orElseThrow();
    StreamReads reads = reads(REPORTING, null, new VisitWatch(slowReads, order));
    reads.begin();
    reads.chose(replica("slow"), 0);
    waits(60);
    reads.chose(replica("fast"), 0);
    waits(1);
    reads.end();
    reads.close(64 * MEGABYTE);
    assertThat(speeds.reports().take(Time.monotonicNow()))
        .extracting(ReadReport::bytes, ReadReport::millis)
        .containsExactly(tuple(64 * MEGABYTE, 1_000L), tuple(0L, 60_000L));
  }

  @Test
  void threadsThatReadThroughOneStreamAtOneTimeWaitTogether() throws Exception {
    ReadSpeeds speeds = new ReadSpeeds();
    SlowReads slowReads = REPORTING.strategy().slowReads(() -> speeds).orElseThrow();
    StreamReads reads = reads(REPORTING, null, new VisitWatch(slowReads, order));
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      reads.chose(replica("shared"), 0);
      other.submit(reads::begin).get();
      reads.begin();
      waits(1);
      reads.end();
      other.submit(reads::end).get();
      reads.close(64 * MEGABYTE);
    } finally {
      other.shutdownNow();
    }
    assertThat(speeds.reports().take(Time.monotonicNow()))
        .extracting(ReadReport::millis)
        .containsExactly(1_000L);
  }

  /** The stream asks for the next block before it chooses a replica of it. */
  @Test
  void aNameNodeThatIsSlowToAnswerMakesNoReplicaSlow() {
    ReadSpeeds speeds = new ReadSpeeds();
    SlowReads slowReads = REPORTING.strategy().slowReads(() -> speeds).orElseThrow();
    StreamReads reads = reads(REPORTING, null, new VisitWatch(slowReads, order));
    reads.chose(replica("first"), 0);
    waits(reads, 1);
    reads.begin();
    waits(30);
    LocatedBlocks next = new LocatedBlocks();
    tracker.located(1, null, next, TimeUnit.SECONDS.toNanos(30));
    reads.chose(replica("second"), 64 * MEGABYTE);
    waits(2);
    reads.end();
    reads.close(128 * MEGABYTE);
    assertThat(speeds.reports().take(Time.monotonicNow()))
        .extracting(ReadReport::millis)
        .containsExactly(2_000L, 1_000L);
  }
}
