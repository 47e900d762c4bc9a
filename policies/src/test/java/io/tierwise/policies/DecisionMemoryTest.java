package io.tierwise.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the contract suites would notice a decision that keeps something. */
class DecisionMemoryTest {
  private static final int DECISIONS = 100_000;

  private final List<byte[]> kept = new ArrayList<>(6 * DECISIONS);
  private volatile byte[] thrownAway;

  @Test
  void whatADecisionKeepsIsSeen() {
    assertThat(DecisionMemory.heldBytes(DECISIONS, i -> kept.add(new byte[0])))
        .isBetween(12.0, 24.0);
  }

  @Test
  void whatADecisionThrowsAwayIsSeenAsAllocatedAndNotAsHeld() {
    assertThat(DecisionMemory.heldBytes(DECISIONS, i -> thrownAway = new byte[100])).isLessThan(1);
    assertThat(DecisionMemory.allocatedBytes(DECISIONS, i -> thrownAway = new byte[100]))
        .isBetween(100.0, 130.0);
  }
}
