package io.tierwise.policies.movement;

import static io.tierwise.policies.movement.RepairMemory.Verdict.FREE;
import static io.tierwise.policies.movement.RepairMemory.Verdict.LEFT_ALONE;
import static io.tierwise.policies.movement.RepairMemory.Verdict.UNDONE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepairMemoryTest {
  private static final int WANTED = 7;
  private final RepairMemory memory = new RepairMemory(2, 1_000, 100, 300);

  @Test
  void aBlockThatNobodyRepairedIsFree() {
    assertThat(memory.found(1, WANTED, 50)).isEqualTo(FREE);
  }

  @Test
  void aBlockThatIsMovedBackIsLeftAloneTwiceAsLongEachTimeButNotForEver() {
    double now = 0;
    for (double alone : new double[] {100, 200, 300, 300}) {
      memory.repaired(1, WANTED, now);
      now += 10;
      assertThat(memory.found(1, WANTED, now)).isEqualTo(UNDONE);
      assertThat(memory.found(1, WANTED, now + alone - 1)).isEqualTo(LEFT_ALONE);
      assertThat(memory.leftAlone(now + alone - 1)).isEqualTo(1);
      now += alone;
      assertThat(memory.found(1, WANTED, now)).isEqualTo(FREE);
      assertThat(memory.leftAlone(now)).isZero();
    }
  }

  @Test
  void anotherWishOrALongTimeIsNobodysUndoing() {
    memory.repaired(1, WANTED, 0);
    assertThat(memory.found(1, WANTED + 1, 10)).isEqualTo(FREE);
    memory.repaired(1, WANTED, 0);
    assertThat(memory.found(1, WANTED, 1_001)).isEqualTo(FREE);
    memory.repaired(1, WANTED, 0);
    assertThat(memory.found(1, WANTED, 10)).isEqualTo(UNDONE);
    assertThat(memory.found(1, WANTED + 1, 11)).isEqualTo(FREE);
  }

  @Test
  void aRepairForAnotherWishBeginsAFightAnew() {
    memory.repaired(1, WANTED, 0);
    assertThat(memory.found(1, WANTED, 10)).isEqualTo(UNDONE);
    memory.repaired(1, WANTED + 1, 20);
    assertThat(memory.found(1, WANTED + 1, 30)).isEqualTo(UNDONE);
    assertThat(memory.found(1, WANTED + 1, 129)).isEqualTo(LEFT_ALONE);
    assertThat(memory.found(1, WANTED + 1, 130)).isEqualTo(FREE);
  }

  @Test
  void replicasThatWereLookedAtBeforeTheRepairAreNobodysUndoing() {
    memory.repaired(1, WANTED, 20);
    assertThat(memory.found(1, WANTED, 19)).isEqualTo(FREE);
    assertThat(memory.found(1, WANTED, 20)).as("at that very moment").isEqualTo(FREE);
    assertThat(memory.found(1, WANTED, 21)).isEqualTo(UNDONE);
  }

  @Test
  void whatWasRepairedFirstIsForgottenFirst() {
    memory.repaired(1, WANTED, 0);
    memory.repaired(2, WANTED, 1);
    memory.repaired(3, WANTED, 2);
    assertThat(memory.found(1, WANTED, 10)).isEqualTo(FREE);
    assertThat(memory.found(2, WANTED, 10)).isEqualTo(UNDONE);
    assertThat(memory.found(3, WANTED, 10)).isEqualTo(UNDONE);
  }
}
