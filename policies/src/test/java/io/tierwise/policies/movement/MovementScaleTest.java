package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The cost of a plan is counted, not timed. */
class MovementScaleTest {
  private static final int BLOCKS = 2000;

  /** How often the rules were asked for a block that moves to another node. */
  private static double questionsPerBlock(int racks, boolean full) {
    ArrayClusterView view = MovementCases.nodesOfOneKind(racks, 10);
    if (full) {
      for (int volume = 0; volume < view.volumeCount(); volume += 2) {
        view.setFreeBytes(volume, 0);
      }
    }
    AtomicLong questions = new AtomicLong();
    MovementState state = new MovementState(view);
    LayoutMovement movement = new LayoutMovement();
    EngineRules counting =
        new EngineRules.Obedient() {
          @Override
          public boolean keepsCopy(int from, int to) {
            questions.incrementAndGet();
            return true;
          }
        };
    for (int i = 0; i < BLOCKS; i++) {
      MovementPlan plan =
          movement.plan(
              MovementCases.block("layout:1 x ssd + 1 x disk", counting, 3, i, 1, 11), state);
      assertThat(plan.moves()).hasSize(full ? 0 : 1);
      assertThat(plan.unmoved()).hasSize(full ? 1 : 0);
    }
    assertThat(view.volumeIn(0, full ? 1 : 0, 0)).isEqualTo(full ? ClusterView.NONE : 0);
    return (double) questions.get() / BLOCKS;
  }

  @Test
  void aBlockAsksAboutTwoVolumesInAnyCluster() {
    assertThat(questionsPerBlock(2, false)).isEqualTo(2);
    assertThat(questionsPerBlock(100, false)).isEqualTo(2);
  }

  @Test
  void aFullTierIsLookedThroughOnce() {
    ArrayClusterView view = MovementCases.nodesOfOneKind(2, 10);
    for (int volume = 0; volume < view.volumeCount(); volume += 2) {
      view.setFreeBytes(volume, 0);
    }
    MovementState state = new MovementState(view);
    LayoutMovement movement = new LayoutMovement();
    assertThat(state.isKnownFull(MovementCases.SSD, MovementCases.BLOCK_BYTES)).isFalse();

    movement.plan(MovementCases.block("layout:1 x ssd + 1 x disk", 3, 0, 1, 11), state);

    assertThat(state.isKnownFull(MovementCases.SSD, MovementCases.BLOCK_BYTES)).isTrue();
    assertThat(questionsPerBlock(2, true)).isZero();
  }
}
