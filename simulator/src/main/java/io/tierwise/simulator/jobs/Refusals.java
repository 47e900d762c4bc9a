package io.tierwise.simulator.jobs;

import io.tierwise.core.action.Assign.Refused;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The slots that a policy refused for now: when they are offered again. */
final class Refusals {
  /**
   * Own: so often in a row a policy may name a moment and refuse again, while no task runs and some
   * wait. One that names a moment a second ahead has waited for a day then.
   */
  private static final int IN_VAIN_MAX = 100_000;

  private final Engine engine;
  private final Consumer<SlotKind> offerIdle;
  private final BooleanSupplier nothingGoesOn;
  private final Set<SlotKind> untilAnyChange = EnumSet.noneOf(SlotKind.class);
  private final Map<SlotKind, Long> untilTick = new EnumMap<>(SlotKind.class);

  /** Made when they are needed, so that the events of all others are as if there were none. */
  private final Map<SlotKind, Integer> timeIsUp = new EnumMap<>(SlotKind.class);

  private boolean isOffering;
  private Refused last;
  private int inVain;

  /**
   * @param offerIdle offers the free slots of a kind
   * @param nothingGoesOn whether tasks wait and none runs
   */
  Refusals(Engine engine, Consumer<SlotKind> offerIdle, BooleanSupplier nothingGoesOn) {
    this.engine = engine;
    this.offerIdle = offerIdle;
    this.nothingGoesOn = nothingGoesOn;
  }

  void add(Refused refused, SlotKind kind) {
    last = refused;
    switch (refused.again()) {
      case AS_EVER -> {}
      case AFTER_ANY_CHANGE -> untilAnyChange.add(kind);
      case AT -> {
        long tick = Math.max(engine.now() + 1, Ticks.ofNanos(refused.atNanos()));
        if (tick < untilTick.getOrDefault(kind, Ticks.NEVER)) {
          untilTick.put(kind, tick);
          engine.at(tick, timeIsUp.computeIfAbsent(kind, this::registerTime), 0);
        }
      }
    }
  }

  /** The last refusal in words, for when nothing goes on; empty when there was none. */
  String lastReason() {
    return last == null ? "" : last.policy() + " left a slot free: " + last.rule();
  }

  private int registerTime(SlotKind kind) {
    return engine.register(argument -> timeIsUp(kind));
  }

  private void timeIsUp(SlotKind kind) {
    if (untilTick.getOrDefault(kind, Ticks.NEVER) == engine.now()) {
      untilTick.remove(kind);
      offerIdle.accept(kind);
      inVain = nothingGoesOn.getAsBoolean() ? inVain + 1 : 0;
      if (inVain > IN_VAIN_MAX) {
        // Without an end, a run would never end either.
        throw new IllegalStateException(
            "at " + inVain + " moments in a row no task ran: " + lastReason());
      }
    }
  }

  /** Tasks began or ended, or jobs came or went. */
  void changed() {
    if (isOffering) {
      return;
    }
    isOffering = true;
    for (SlotKind kind : SlotKind.values()) {
      if (untilAnyChange.remove(kind)) {
        offerIdle.accept(kind);
      }
    }
    isOffering = false;
  }
}
