package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementPlan.Reason;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** A node that cannot be reached gets no blocks until its NameNode has heard of it again. */
class PlannerTest {
  private static final String ONE_SSD = "1 x ssd + 2 x disk";

  private final MadeNodes nodes = new MadeNodes(5, 1);
  private long nowNanos;
  private long nextBlock;

  private Planner planner() throws IOException {
    MoverSettings settings = MoverSettings.DEFAULT.keepingFree(0);
    return Planner.ofRun(nodes::report, nodes.names(), settings, () -> nowNanos);
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
    planner.note(plan(planner).moves().get(0), MoveFailure.Kind.TARGET_LOST);
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
        planner.note(planned.moves().get(0), MoveFailure.Kind.TARGET_LOST);
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
}
