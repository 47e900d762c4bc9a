package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementPlan.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** A node that cannot be reached gets no blocks until its NameNode has heard of it again. */
class PlannerTest {
  private static final String ONE_SSD = "1 x ssd + 2 x disk";

  private final MadeNodes nodes = new MadeNodes(5, 1);
  private final List<String> said = new ArrayList<>();
  private final Avoided avoided = new Avoided(said::add);
  private long nowNanos;
  private long nextBlock;

  private Planner planner() throws IOException {
    MoverSettings settings = MoverSettings.DEFAULT.keepingFree(0);
    return Planner.ofRun(nodes::report, nodes.names(), settings, avoided, () -> nowNanos);
  }

  private void pass(long seconds) {
    nowNanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  /** The plan of a block that stands on other nodes than the one with the SSD. */
  private Planner.Planned plan(Planner planner) throws IOException {
    LocatedBlock block = nodes.block(++nextBlock, 1, 2, 3);
    FileToMove file = nodes.file(block, ONE_SSD);
    return planner.plan(new BlockWork(file, 0, block), block);
  }

  private void lose(Planner planner) throws IOException {
    planner.note(plan(planner).moves().get(0), MoveFailure.Kind.TARGET_LOST, nowNanos);
  }

  /** The first view after a loss. */
  private void look(Planner planner) throws IOException {
    pass(11);
    assertThat(plan(planner).moves()).isEmpty();
  }

  @Test
  void whatTheNameNodeHeardBeforeTheLossIsNoSignOfLife() throws IOException {
    Planner planner = planner();
    nodes.hear(0);
    lose(planner);

    look(planner);
    look(planner);
  }

  @Test
  void aNodeThatTheNameNodeHearsAgainGetsBlocksAgain() throws IOException {
    Planner planner = planner();
    lose(planner);
    look(planner);
    nodes.hear(0);
    assertThat(plan(planner).moves()).as("of an old report").isEmpty();

    pass(11);

    assertThat(plan(planner).moves()).hasSize(1);
  }

  @Test
  void aNodeThatNobodyHearsStaysRefused() throws IOException {
    Planner planner = planner();
    lose(planner);

    pass(3600);

    Planner.Planned planned = plan(planner);
    assertThat(planned.moves()).isEmpty();
    assertThat(planned.unmoved()).containsExactly(Reason.NO_NODE);
  }

  @Test
  void blocksThatNobodyElseMayTakeWaitForANodeAsLongAsThePatienceLasts() throws IOException {
    Planner planner = planner();
    lose(planner);
    assertThat(plan(planner).mayComeBack()).isTrue();
    pass(59);
    assertThat(plan(planner).mayComeBack()).isTrue();
    pass(2);
    assertThat(plan(planner).mayComeBack()).isFalse();
  }

  @Test
  void aNodeThatIsHeardAndNeverReachedIsTriedEverLessOften() throws IOException {
    Planner planner = planner();
    int tries = 0;
    for (int second = 0; second < 3600; second += 11) {
      nodes.hear(0);
      Planner.Planned planned = plan(planner);
      if (!planned.moves().isEmpty()) {
        planner.note(planned.moves().get(0), MoveFailure.Kind.TARGET_LOST, nowNanos);
        tries++;
      }
      pass(11);
    }
    assertThat(tries).isBetween(10, 20);
  }

  @Test
  void aMoveThatWasMadeEndsTheDoubtAboutItsNode() throws IOException {
    Planner planner = planner();
    for (int loss = 0; loss < 5; loss++) {
      lose(planner);
      look(planner);
      nodes.hear(0);
      pass(11);
      planner.done(plan(planner).moves().get(0));
    }
    assertThat(plan(planner).moves()).hasSize(1);
  }

  /** HDFS counts a replica when it is there, and a move may take longer than a view is good for. */
  @Test
  void aMoveOnItsWayKeepsItsRoomWhenTheVolumesAreReadAgain() throws IOException {
    nodes.leaveFree(MadeNodes.BLOCK_BYTES * 3 / 2);
    Planner planner = planner();
    PlannedMove onItsWay = plan(planner).moves().get(0);
    assertThat(plan(planner).unmoved()).containsExactly(Reason.NO_ROOM);

    pass(61);
    assertThat(plan(planner).unmoved()).as("read again").containsExactly(Reason.NO_ROOM);

    planner.withdraw(onItsWay);
    assertThat(plan(planner).moves()).as("it will not be made").hasSize(1);
  }

  private void silence(Planner planner) throws IOException {
    long begun = nowNanos;
    PlannedMove move = plan(planner).moves().get(0);
    pass(300);
    planner.note(move, MoveFailure.Kind.SILENT, begun);
  }

  @Test
  void aVolumeThatIsSilentGetsNoBlocksForAWhileAndForTwiceAsLongTheNextTime() throws IOException {
    Planner planner = planner();
    silence(planner);
    assertThat(plan(planner).moves()).isEmpty();
    assertThat(plan(planner).mayComeBack()).as("nobody waits for it").isFalse();
    pass(599);
    assertThat(plan(planner).moves()).isEmpty();

    pass(62);
    silence(planner);
    pass(601 + 61);
    assertThat(plan(planner).moves()).isEmpty();
    pass(600);
    assertThat(plan(planner).moves()).hasSize(1);

    assertThat(said).hasSize(2);
    assertThat(said.get(0)).startsWith("node0:9866 took a move and did not answer for 5 min");
    assertThat(said.get(0)).contains("SSD DS-SSD-0 for 10 min").contains("disk");
    assertThat(said.get(1)).contains("for 20 min");
  }

  @Test
  void severalMovesThatTellOfOneSilenceCountOnce() throws IOException {
    Planner planner = planner();
    PlannedMove first = plan(planner).moves().get(0);
    PlannedMove second = plan(planner).moves().get(0);
    planner.note(first, MoveFailure.Kind.SILENT, 0);
    planner.note(second, MoveFailure.Kind.SILENT, 0);

    assertThat(said).hasSize(1);
    assertThat(planner.whyAvoided(second)).isPresent();
  }

  @Test
  void aVolumeThatMadeAnotherMoveMeanwhileIsNotTheOneThatHangs() throws IOException {
    Planner planner = planner();
    PlannedMove silent = plan(planner).moves().get(0);
    PlannedMove made = plan(planner).moves().get(0);
    pass(1);
    planner.answered(made);
    pass(299);
    planner.note(silent, MoveFailure.Kind.SILENT, 0);

    assertThat(said).isEmpty();
    assertThat(plan(planner).moves()).hasSize(1);
  }

  @Test
  void nothingIsReadFromASourceThatIsSilent() throws IOException {
    Planner planner = planner();
    PlannedMove move = plan(planner).moves().get(0);
    planner.note(move, MoveFailure.Kind.SOURCE_SILENT, 0);

    PlannedMove next = plan(planner).moves().get(0);
    assertThat(next.source().key()).isNotEqualTo(move.source().key());
    planner.note(next, MoveFailure.Kind.SOURCE_SILENT, 0);
    planner.note(plan(planner).moves().get(0), MoveFailure.Kind.SOURCE_SILENT, 0);
    assertThat(plan(planner).unmoved()).containsExactly(Reason.NO_SOURCE);
    assertThat(said).hasSize(3).allSatisfy(line -> assertThat(line).contains("did not send"));
  }

  @Test
  void aNodeThatRefusesAllMovesForMinutesIsAskedNoMore() throws IOException {
    Planner planner = planner();
    PlannedMove move = plan(planner).moves().get(0);
    for (int second = 0; second < 300; second++) {
      assertThat(planner.asksAgain(move, MoveFailure.Kind.BUSY)).isTrue();
      pass(1);
    }
    assertThat(planner.asksAgain(move, MoveFailure.Kind.BUSY)).isFalse();

    assertThat(planner.whyAvoided(move)).isPresent();
    assertThat(said).singleElement().asString().startsWith("node0:9866 refused moves for 5 min");
  }

  @Test
  void aMoveThatABusyNodeMakesBeginsItsTimeAnew() throws IOException {
    Planner planner = planner();
    PlannedMove move = plan(planner).moves().get(0);
    for (int second = 0; second < 3600; second++) {
      assertThat(planner.asksAgain(move, MoveFailure.Kind.BUSY)).isTrue();
      pass(1);
      if (second % 200 == 0) {
        planner.answered(move);
      }
    }
    pass(3600);
    assertThat(planner.asksAgain(move, MoveFailure.Kind.BUSY)).as("not asked meanwhile").isTrue();
    assertThat(said).isEmpty();
  }

  @Test
  void theTimeBetweenTwoRunsIsNoRefusal() throws IOException {
    Planner first = planner();
    PlannedMove move = plan(first).moves().get(0);
    assertThat(first.asksAgain(move, MoveFailure.Kind.BUSY)).isTrue();
    pass(1200);

    Planner second = planner();

    assertThat(second.asksAgain(move, MoveFailure.Kind.BUSY)).isTrue();
    assertThat(second.whyAvoided(move)).isEmpty();
    assertThat(said).isEmpty();
  }

  @Test
  void refusalsOfSeveralRunsAddUp() throws IOException {
    PlannedMove move = plan(planner()).moves().get(0);
    int refused = 0;
    boolean asks = true;
    while (asks) {
      Planner run = planner();
      for (int second = 0; second <= 100 && asks; second++) {
        asks = run.asksAgain(move, MoveFailure.Kind.SOURCE_BUSY);
        refused++;
        pass(1);
      }
      pass(900);
    }

    assertThat(refused).as("three runs of 100 s, and the first second of each").isEqualTo(303);
    assertThat(said).singleElement().asString().contains(" refused moves for 5 min");
  }
}
