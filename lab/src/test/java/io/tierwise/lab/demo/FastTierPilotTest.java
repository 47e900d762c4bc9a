package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.lab.demo.FastTierPilot.Change;
import io.tierwise.lab.demo.FastTierPilot.Way;
import io.tierwise.lab.demo.ManagedRun.Stay;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.popularity.UseWindow;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which files come and leave, by made-up windows of ten seconds. */
class FastTierPilotTest {
  private static final long BYTES = 4 << 20;
  private static final int FILES = 12;
  private static final int ROOM = 3;
  private static final Instant START = Instant.ofEpochSecond(1_000_000);
  private static final TierPromotions PROMOTIONS =
      new TierPromotions(device("fast", 533e6, 245e6), device("slow", 61e6, 46e6));

  private static DeviceClass device(String name, double read, double write) {
    return new DeviceClass(name, read, write, Double.NaN, 0, Double.NaN);
  }

  private static FastTierPilot pilot(Way way) {
    return new FastTierPilot(way, PROMOTIONS, ROOM, BYTES);
  }

  /** The files are read in the order in which they stand, as often as they stand there. */
  private static UseWindow window(int number, int... reads) {
    Instant from = START.plusSeconds(10L * number);
    UseWindow window = AuditedReads.empty(from, from.plusSeconds(10), FILES);
    for (int i = 0; i < reads.length; i++) {
      double at = window.startSeconds() + (i + 1) * 10.0 / (reads.length + 1);
      window.read(reads[i], at, window.reads(reads[i]) + 1);
    }
    return window;
  }

  private static final int[] HOT_AND_A_SCAN = {0, 1, 0, 1, 0, 1, 0, 1, 7, 0, 1};

  @Test
  void nothingComesBeforeAnythingWasRead() {
    for (Way way : List.of(Way.LRU, Way.PPA)) {
      assertThat(pilot(way).decide(window(0), Set.of()))
          .isEqualTo(new Change(List.of(), List.of()));
    }
  }

  @Test
  void lruTakesWhatWasReadLastAndSendsAwayWhatWasReadLeastRecently() {
    FastTierPilot lru = pilot(Way.LRU);

    assertThat(lru.decide(window(0, HOT_AND_A_SCAN), Set.of()).in())
        .containsExactlyInAnyOrder(0, 1, 7);

    Change next = lru.decide(window(1, 0, 1, 9), Set.of(0, 1, 7));
    assertThat(next).isEqualTo(new Change(List.of(9), List.of(7)));
  }

  @Test
  void lruSendsNothingAwayWhileThereIsRoom() {
    FastTierPilot lru = pilot(Way.LRU);
    assertThat(lru.decide(window(0, 0), Set.of()).in()).containsExactly(0);
    assertThat(lru.decide(window(1, 1), Set.of(0))).isEqualTo(new Change(List.of(1), List.of()));
  }

  @Test
  void ppaTakesWhatIsReadOftenAndNoFileThatIsReadOnce() {
    FastTierPilot ppa = pilot(Way.PPA);
    ppa.decide(window(0), Set.of());

    assertThat(ppa.decide(window(1, HOT_AND_A_SCAN), Set.of()).in())
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void theOracleTakesWhatIsReadNextAndMakesRoomForIt() {
    FastTierPilot oracle = pilot(Way.ORACLE);
    UseWindow now = window(0, 0, 0, 0, 0);
    now.foresee(window(1, 4, 5, 4, 5, 4, 5, 4, 5));

    Change change = oracle.decide(now, Set.of(0, 1, 2));

    assertThat(change.in()).containsExactlyInAnyOrder(4, 5);
    assertThat(change.out()).hasSize(2);
  }

  @Test
  void aPromotionPaysByTheReadsThatTheFastTierServed() {
    // 1.4 reads at these speeds.
    assertThat(new Stay(0, 0, 1).paid(PROMOTIONS, BYTES)).isFalse();
    assertThat(new Stay(0, 0, 2).paid(PROMOTIONS, BYTES)).isTrue();
  }

  @Test
  void aStayEndsWhenTheFileLeavesAndAnotherBeginsWhenItComesBack() {
    ManagedRun run =
        new ManagedRun(
            Way.LRU,
            List.of(phase(Set.of(0), 2, 0), phase(Set.of(1), 5, 3), phase(Set.of(0, 1), 4, 1)),
            BYTES,
            0);

    assertThat(run.stays())
        .containsExactly(new Stay(0, 0, 7), new Stay(1, 1, 4), new Stay(0, 2, 4));
    assertThat(run.paid(PROMOTIONS)).isEqualTo(3);
  }

  private static PopularityPhase phase(Set<Integer> there, int fastReadsOf0, int fastReadsOf1) {
    List<Integer> reads = List.of(fastReadsOf0, fastReadsOf1);
    return new PopularityPhase(
        FastTierMoves.Moved.NOTHING, there, reads, reads, fastReadsOf0 + fastReadsOf1, 1, 1, 0);
  }
}
