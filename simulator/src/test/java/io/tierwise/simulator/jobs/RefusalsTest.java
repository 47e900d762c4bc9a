package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Assign.Again;
import io.tierwise.core.action.Assign.Refused;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final long SECOND = 1_000_000_000L;

  private final Engine engine = new Engine();

  /** When slots were offered, and of which kind. */
  private final List<String> offers = new ArrayList<>();

  private final Refusals refusals =
      new Refusals(
          engine, kind -> offers.add(kind + " " + Ticks.toSeconds(engine.now())), () -> false);

  private void refuse(SlotKind kind, Again again, long seconds) {
    refusals.add(new Refused("p", "r", again, seconds * SECOND), kind);
  }

  private void runToTheEnd() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = engine.step();
    }
  }

  @Test
  void ofSeveralMomentsTheEarliestOfEachKindCounts() {
    refuse(SlotKind.MAP, Again.AT, 20);
    refuse(SlotKind.MAP, Again.AT, 10);
    refuse(SlotKind.REDUCE, Again.AT, 15);
    refuse(SlotKind.MAP, Again.AT, 30);
    runToTheEnd();

    assertThat(offers).containsExactly("MAP 10.0", "REDUCE 15.0");
  }

  @Test
  void aChangeOffersOnceWhatWasRefusedUntilOne() {
    refuse(SlotKind.REDUCE, Again.AFTER_ANY_CHANGE, 0);
    refuse(SlotKind.MAP, Again.AS_EVER, 0);
    refusals.changed();
    refusals.changed();
    runToTheEnd();

    assertThat(offers).containsExactly("REDUCE 0.0");
    assertThat(refusals.lastReason()).isEqualTo("p left a slot free: r");
  }
}
