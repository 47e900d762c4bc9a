package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.RepairBacklog.Amount;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import io.tierwise.policies.movement.RepairMemory.Verdict;
import org.junit.jupiter.api.Test;

class RepairBacklogTest {
  private final RepairBacklog backlog = new RepairBacklog(10, 1_000, 100);

  private static Misplaced block(long id, double seconds) {
    return new Misplaced(id, 1, 0, 7, 1, 5, 0, Urgency.WRONG_TIER, seconds);
  }

  @Test
  void aBlockThatIsLentIsGivenToNobodyElseUntilItsLeaseEnds() {
    backlog.misplaced(block(1, 0));
    assertThat(backlog.lend(5, 1, 60)).hasSize(1);
    assertThat(backlog.lend(5, 30, 60)).isEmpty();
    assertThat(backlog.lend(5, 62, 60)).hasSize(1);
  }

  @Test
  void theMostUrgentBlocksWaitForAMoverThatDiedNoLongerThanFiveMinutes() {
    backlog.misplaced(block(1, 0));
    assertThat(backlog.lend(5, 0, RepairBacklog.LEASE_SECONDS)).hasSize(1);
    assertThat(backlog.lend(5, 301, RepairBacklog.LEASE_SECONDS)).hasSize(1);
  }

  @Test
  void aBlockThatNobodyCameToIsGivenOutAtOnceAndKeepsItsAge() {
    backlog.misplaced(block(1, 0));
    assertThat(backlog.lend(5, 1, 60)).hasSize(1);
    backlog.told(1, 7, Outcome.UNTRIED, 2);
    assertThat(backlog.oldestAgeSeconds(2)).isEqualTo(2);
    assertThat(backlog.lend(5, 2, 60)).hasSize(1);
  }

  @Test
  void aRepairedBlockThatIsOffAgainIsLeftAloneForAWhile() {
    backlog.misplaced(block(1, 0));
    backlog.told(1, 7, Outcome.DONE, 10);
    assertThat(backlog.queueSize()).isZero();
    assertThat(backlog.misplaced(block(1, 20))).isEqualTo(Verdict.UNDONE);
    assertThat(backlog.misplaced(block(1, 50))).isEqualTo(Verdict.LEFT_ALONE);
    assertThat(backlog.misplaced(block(1, 200))).isEqualTo(Verdict.FREE);
  }

  /** A look from before the repair may come late, and have it wait again. */
  @Test
  void aBlockThatIsLeftAloneWaitsForNoMover() {
    backlog.misplaced(block(1, 0));
    backlog.told(1, 7, Outcome.DONE, 10);
    assertThat(backlog.misplaced(block(1, 5))).isEqualTo(Verdict.FREE);
    assertThat(backlog.queueSize()).isOne();
    assertThat(backlog.misplaced(block(1, 20))).isEqualTo(Verdict.UNDONE);
    assertThat(backlog.lend(5, 21, 60)).isEmpty();
    assertThat(backlog.queueSize()).isZero();
  }

  @Test
  void aBlockThatIsLeftAloneStaysSoWhenTheEngineWroteItElsewhere() {
    backlog.misplaced(block(1, 0));
    backlog.told(1, 7, Outcome.DONE, 10);
    assertThat(backlog.misplaced(block(1, 20))).isEqualTo(Verdict.UNDONE);
    backlog.wroteElsewhere(block(1, 30), false);
    assertThat(backlog.queueSize()).isZero();
    assertThat(backlog.misplaced(block(1, 50))).isEqualTo(Verdict.LEFT_ALONE);
  }

  @Test
  void aLookBesideTheWalkIsNotCountedAsOne() {
    backlog.beginWalk();
    backlog.misplaced(block(1, 0), false);
    backlog.misplaced(block(2, 0), true);
    backlog.endWalk(2, 2, 1);
    assertThat(backlog.queueSize()).isEqualTo(2);
    assertThat(backlog.lastWalk().misplaced().get(Urgency.WRONG_TIER)).isEqualTo(new Amount(1, 5));
  }

  @Test
  void aFailedRepairWaitsAndABlockThatNoWalkFindsIsForgotten() {
    backlog.beginWalk();
    backlog.misplaced(block(1, 0));
    backlog.endWalk(1, 1, 0);
    backlog.told(1, 7, Outcome.FAILED, 10);
    assertThat(backlog.first(5, 11)).isEmpty();
    assertThat(backlog.backlog().get(Urgency.WRONG_TIER)).isEqualTo(new Amount(1, 5));
    backlog.beginWalk();
    backlog.leftToEngine(1, true);
    backlog.endWalk(1, 1, 0);
    assertThat(backlog.queueSize()).isZero();
    assertThat(backlog.lastWalk().leftToEngine()).isEqualTo(1);
  }

  @Test
  void whatTheEngineWroteElsewhereAfterARepairIsNoFight() {
    backlog.misplaced(block(1, 0));
    backlog.told(1, 7, Outcome.DONE, 10);
    backlog.wroteElsewhere(block(1, 20), true);
    assertThat(backlog.misplaced(block(1, 30))).isEqualTo(Verdict.FREE);
    assertThat(backlog.queueSize()).isOne();
  }

  @Test
  void aReplicaThatTheEngineHadToCopyIsNoFight() {
    backlog.misplaced(block(1, 0));
    backlog.told(1, 7, Outcome.DONE, 10);
    backlog.engineCopies(1);
    backlog.leftToEngine(1, true);
    assertThat(backlog.misplaced(block(1, 200))).isEqualTo(Verdict.FREE);
  }
}
