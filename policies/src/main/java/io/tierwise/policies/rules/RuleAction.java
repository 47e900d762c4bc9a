package io.tierwise.policies.rules;

import java.util.Locale;
import java.util.OptionalInt;

/** The action that a rule wants for a file. */
public sealed interface RuleAction {
  /** As it is written. */
  String text();

  /** So many replicas. */
  record Replicas(int count) implements RuleAction {
    @Override
    public String text() {
      return "replicas " + count;
    }
  }

  /** A replica of each block in a tier, by the tier's name. */
  record InTier(String tier) implements RuleAction {
    @Override
    public String text() {
      return "tier " + tier;
    }
  }

  /**
   * The file comes first: it is never sent to the secondary store, gets additional replicas before
   * others, and a place in the fast tier whether it pays or not.
   *
   * @param byMinute of the day by which it is wanted, each day; empty for always
   */
  record Sla(OptionalInt byMinute) implements RuleAction {
    private static final double DAY_SECONDS = 86_400;

    /**
     * Whether it comes first now.
     *
     * @param daySeconds now, since midnight
     * @param aroundSeconds the time before and after the minute in which it does
     */
    public boolean isDue(double daySeconds, double aroundSeconds) {
      if (byMinute.isEmpty()) {
        return true;
      }
      double until = (byMinute.getAsInt() * 60.0 - daySeconds + DAY_SECONDS) % DAY_SECONDS;
      return until <= aroundSeconds || DAY_SECONDS - until <= aroundSeconds;
    }

    /** The time of the day; empty for always. */
    public String by() {
      return byMinute.isEmpty()
          ? ""
          : String.format(
              Locale.ROOT, "%02d:%02d", byMinute.getAsInt() / 60, byMinute.getAsInt() % 60);
    }

    @Override
    public String text() {
      return byMinute.isEmpty() ? "sla" : "sla by " + by();
    }
  }

  /** In the secondary store. */
  record Secondary() implements RuleAction {
    @Override
    public String text() {
      return "secondary";
    }
  }
}
