package io.tierwise.policies.movement;

import static io.tierwise.policies.movement.MovementCases.BLOCK_BYTES;
import static io.tierwise.policies.movement.MovementCases.block;
import static io.tierwise.policies.movement.MovementCases.mixedNodes;
import static io.tierwise.policies.movement.MovementCases.nodesOfOneKind;
import static io.tierwise.policies.movement.MovementCases.targets;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Move;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.LoadView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.movement.MovementPlan.Reason;
import io.tierwise.policies.movement.MovementPlan.Unmoved;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayoutMovementTest {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final String ONE_SSD = "layout:1 x ssd + 2 x disk";

  private final LayoutMovement movement = new LayoutMovement();

  @Test
  void leavesABlockThatIsAsItShouldBe() {
    MovementState state = new MovementState(mixedNodes(2, 2));

    MovementPlan plan = movement.plan(block(ONE_SSD, 1, 0, 0, 3, 5), state);

    assertThat(plan).isEqualTo(MovementPlan.NOTHING);
  }

  @Test
  void replicasBeyondTheSlotsStay() {
    MovementState state = new MovementState(mixedNodes(2, 2));

    assertThat(movement.plan(block("layout:1 x ssd", 1, 0, 0, 3, 5), state))
        .isEqualTo(MovementPlan.NOTHING);
    assertThat(movement.plan(block("layout:1 x ssd", 1, 0, 1, 3, 5), state).moves()).hasSize(1);
  }

  @Test
  void movesInsideEachNodeWhereTheNodeHasTheTier() {
    MovementState state = new MovementState(mixedNodes(2, 2));

    MovementPlan plan = movement.plan(block(ALL_SSD, 1, 0, 1, 3, 5), state);

    assertThat(targets(plan)).containsExactlyInAnyOrder(0, 2, 4);
    assertThat(plan.moves()).allMatch(move -> move.cost().networkBytes() == 0);
    assertThat(plan.moves()).allMatch(move -> move.from() == move.source());
    assertThat(plan.unmoved()).isEmpty();
  }

  @Test
  void ofEqualReplicasTheOneGoesThatCanGoInsideItsNode() {
    for (int with = 0; with < 3; with++) {
      ArrayClusterView view = mixedNodes(3, 1);
      for (int node = 0; node < 3; node++) {
        view.setFreeBytes(2 * node, node == with ? BLOCK_BYTES : 0);
      }

      MovementPlan plan = movement.plan(block(ONE_SSD, 1, 0, 1, 3, 5), new MovementState(view));

      assertThat(targets(plan)).containsExactly(2 * with);
      assertThat(plan.moves().get(0).insideNode(view)).isTrue();
    }
  }

  @Test
  void saysWhatAMoveCosts() {
    MovementState state = new MovementState(mixedNodes(2, 2));

    Move move = movement.plan(block(ONE_SSD, 1, 0, 1, 3, 5), state).moves().get(0);

    double readSeconds = BLOCK_BYTES / 150e6;
    double joules = 3 * readSeconds + 2 * (BLOCK_BYTES / 400e6);
    assertThat(move.cost()).isEqualTo(new Cost(BLOCK_BYTES, 0, 0, readSeconds, joules));
    assertThat(move.describe(state.view()))
        .isEqualTo(
            "layout-movement: disk@node2 -> ssd@node2: inside its node, to a tier that the layout"
                + " misses");
  }

  @Test
  void movesToAnotherNodeWhereTheEngineCannotMoveInside() {
    EngineRules noneInside =
        new EngineRules.Obedient() {
          @Override
          public boolean movesInside(int from, int to) {
            return false;
          }
        };
    ArrayClusterView view = mixedNodes(2, 3);

    MovementPlan plan =
        movement.plan(block(ONE_SSD, noneInside, 1, 0, 1, 3, 7), new MovementState(view));

    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.moves().get(0).insideNode(view)).isFalse();
    assertThat(view.nodeOfVolume(targets(plan).get(0))).isNotIn(0, 1, 3);
  }

  @Test
  void doesNotMoveWhatTheEngineWouldUndo() {
    EngineRules undoes =
        new EngineRules.Obedient() {
          @Override
          public boolean keepsCopy(int from, int to) {
            return false;
          }
        };

    MovementPlan plan =
        movement.plan(
            block("layout:1 x ssd + 1 x disk", undoes, 1, 0, 1, 3),
            new MovementState(nodesOfOneKind(2, 4)));

    assertThat(plan.moves()).isEmpty();
    assertThat(plan.unmoved()).extracting(Unmoved::reason).containsExactly(Reason.UNDONE);
  }

  @Test
  void leavesTheRoomThatTheEngineWantsForACopy() {
    assertThat(planWithFreeSsdBytes(3 * BLOCK_BYTES).moves()).hasSize(1);

    MovementPlan full = planWithFreeSsdBytes(3 * BLOCK_BYTES - 1);
    assertThat(full.moves()).isEmpty();
    assertThat(full.unmoved()).extracting(Unmoved::reason).containsExactly(Reason.NO_ROOM);
  }

  private MovementPlan planWithFreeSsdBytes(long bytes) {
    ArrayClusterView view = nodesOfOneKind(2, 4);
    for (int volume = 0; volume < view.volumeCount(); volume += 2) {
      view.setFreeBytes(volume, bytes);
    }
    return movement.plan(
        block("layout:1 x ssd + 1 x disk", new ThreeTimesTheRoom(), 1, 0, 1, 3),
        new MovementState(view));
  }

  private static final class ThreeTimesTheRoom extends EngineRules.Obedient {
    @Override
    public long roomForCopyBytes(long blockBytes) {
      return 3 * blockBytes;
    }
  }

  @Test
  void copiesFromAReplicaThatCanBeRead() {
    for (int readable : new int[] {1, 3, 5}) {
      MovementPlan plan = planReading(readable);
      assertThat(plan.moves()).extracting(Move::source).containsExactly(readable);
    }
  }

  @Test
  void doesNotMoveABlockOfWhichNothingCanBeRead() {
    MovementPlan plan = planReading(ClusterView.NONE);

    assertThat(plan.moves()).isEmpty();
    assertThat(plan.unmoved()).extracting(Unmoved::reason).containsExactly(Reason.NO_SOURCE);
  }

  private MovementPlan planReading(int readable) {
    EngineRules rules =
        new EngineRules.Obedient() {
          @Override
          public boolean canRead(int volume) {
            return volume == readable;
          }
        };
    return movement.plan(
        block(ONE_SSD, rules, 1, 0, 1, 3, 5), new MovementState(nodesOfOneKind(2, 4)));
  }

  @Test
  void saysThatATierHasNoRoom() {
    ArrayClusterView view = nodesOfOneKind(2, 4);
    for (int volume = 0; volume < view.volumeCount(); volume += 2) {
      view.setFreeBytes(volume, BLOCK_BYTES - 1);
    }

    MovementPlan plan =
        movement.plan(block("layout:1 x ssd + 1 x disk", 1, 0, 1, 5), new MovementState(view));

    assertThat(plan.moves()).isEmpty();
    assertThat(plan.unmoved()).extracting(Unmoved::reason).containsExactly(Reason.NO_ROOM);
  }

  @Test
  void fillsATierOnlyAsFarAsItHasRoom() {
    ArrayClusterView view = nodesOfOneKind(2, 4);
    for (int volume = 0; volume < view.volumeCount(); volume += 2) {
      view.setFreeBytes(volume, 2 * BLOCK_BYTES + 1);
    }
    MovementState state = new MovementState(view);
    int moved = 0;
    int refused = 0;
    for (int i = 0; i < 20; i++) {
      MovementPlan plan = movement.plan(block("layout:1 x ssd + 1 x disk", 1, i, 1, 5), state);
      moved += plan.moves().size();
      refused += plan.unmoved().size();
    }

    assertThat(moved).isEqualTo(8);
    assertThat(refused).isEqualTo(12);
  }

  @Test
  void roomIsThereAgainWhenAMoveIsWithdrawn() {
    ArrayClusterView view = nodesOfOneKind(2, 4);
    for (int volume = 0; volume < view.volumeCount(); volume += 2) {
      view.setFreeBytes(volume, volume == 0 ? BLOCK_BYTES : 0);
    }
    MovementState state = new MovementState(view);
    MovementRequest request = block("layout:1 x ssd + 1 x disk", 1, 0, 1, 5);
    Move move = movement.plan(request, state).moves().get(0);
    assertThat(movement.plan(request, state).unmoved()).hasSize(1);

    state.withdraw(move);

    assertThat(movement.plan(request, state).moves()).hasSize(1);
  }

  @Test
  void aNodeThatRefusesGetsNothing() {
    ArrayClusterView view = nodesOfOneKind(2, 4);
    view.refuseNode(0, Refusal.DECOMMISSIONING);
    view.refuseNode(4, Refusal.STALE);
    MovementState state = new MovementState(view);

    for (int i = 0; i < 50; i++) {
      MovementPlan plan = movement.plan(block("layout:1 x ssd + 1 x disk", 1, i, 1, 5), state);
      assertThat(targets(plan)).isSubsetOf(2, 6);
    }
  }

  @Test
  void theLastRackButOneIsNotLeft() {
    // All SSDs stand in rack 0, and the block's two replicas in racks 0 and 1.
    ArrayClusterView view = mixedNodes(2, 3);
    for (int node = 3; node < 6; node++) {
      view.setFreeBytes(2 * node, 0);
    }

    MovementPlan plan = movement.plan(block("layout:2 x ssd", 1, 0, 1, 7), new MovementState(view));

    assertThat(targets(plan)).containsExactly(0);
    assertThat(plan.unmoved()).hasSize(1);
  }

  @Test
  void aReplicaAtAnUnknownPlaceStays() {
    MovementPlan plan =
        movement.plan(
            block(ALL_SSD, 1, 0, 1, ClusterView.NONE, 5), new MovementState(mixedNodes(2, 2)));

    assertThat(targets(plan)).containsExactlyInAnyOrder(0, 4);
    assertThat(plan.unmoved()).extracting(Unmoved::reason).containsExactly(Reason.UNKNOWN_PLACE);
  }

  @Test
  void spreadsReadsAndWritesOverQueues() {
    ArrayClusterView view = nodesOfOneKind(4, 10);
    MovementState state = new MovementState(view);
    Map<Integer, Integer> writes = new HashMap<>();
    Map<Integer, Integer> reads = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      for (Move move :
          movement.plan(block("layout:1 x ssd + 2 x disk", 7, i, 1, 11, 21), state).moves()) {
        writes.merge(move.to(), 1, Integer::sum);
        reads.merge(move.source(), 1, Integer::sum);
      }
    }

    assertThat(writes).hasSize(20);
    assertThat(writes.values()).allMatch(count -> count >= 85 && count <= 115);
    assertThat(reads.values()).allMatch(count -> count >= 660 && count <= 675);
  }

  @Test
  void aDeadNodeIsNotReadWhereAnotherOneHasTheBlock() {
    ArrayClusterView view = nodesOfOneKind(4, 10);
    view.refuseNode(1, Refusal.DEAD);
    MovementState state = new MovementState(view);

    for (int i = 0; i < 50; i++) {
      MovementPlan plan = movement.plan(block("layout:1 x ssd + 1 x disk", 1, i, 1, 11), state);
      assertThat(plan.moves()).extracting(Move::source).containsExactly(11);
    }
  }

  /** Nodes below {@code busyNodes} have so many transfers, by reports of that age. */
  private static LoadView busy(int busyNodes, int transfers, long ageMillis) {
    return new LoadView() {
      @Override
      public int transfers(int node) {
        return node < busyNodes ? transfers : 0;
      }

      @Override
      public long ageMillis(int node) {
        return ageMillis;
      }
    };
  }

  /** Of 20 nodes with SSDs ten are busy; a block has a replica on a busy node and on another. */
  private long movesThatMeetABusyNode(LoadView load) {
    long met = 0;
    for (int i = 0; i < 200; i++) {
      MovementState state = new MovementState(nodesOfOneKind(4, 10), load);
      for (Move move :
          movement.plan(block("layout:1 x ssd + 1 x disk", 1, i, 1, 31), state).moves()) {
        met += move.source() < 20 || move.to() < 20 ? 1 : 0;
      }
    }
    return met;
  }

  @Test
  void busyNodesAreReadAndWrittenOnlyWhereNoOtherOneWouldDo() {
    long met = movesThatMeetABusyNode(busy(20, 40, 3_000));

    assertThat(met).as("both draws are busy in a quarter of the cases").isBetween(20L, 80L);
    assertThat(movesThatMeetABusyNode(busy(20, 16, 3_000)))
        .as("connections that may be idle")
        .isEqualTo(movesThatMeetABusyNode(LoadView.UNKNOWN))
        .isGreaterThan(150);
    assertThat(movesThatMeetABusyNode(busy(20, 40, 31_000))).as("an old report").isGreaterThan(150);
  }

  @Test
  void aQueueIsShorterWhenAMoveIsDone() {
    MovementState state = new MovementState(mixedNodes(2, 2));
    Move move = movement.plan(block(ONE_SSD, 1, 0, 1, 3, 5), state).moves().get(0);
    assertThat(state.writeQueueSeconds(move.to(), 0)).isPositive();

    state.done(move);

    assertThat(state.writeQueueSeconds(move.to(), 0)).isZero();
    assertThat(state.readQueueSeconds(move.source(), 0)).isZero();
  }
}
