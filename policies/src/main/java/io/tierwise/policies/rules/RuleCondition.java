package io.tierwise.policies.rules;

import java.util.Locale;
import java.util.Optional;

/**
 * A comparison that has to hold for certain: reads that may be more or fewer, or of a time in which
 * nobody counted, do not make a rule fire.
 *
 * @param text as it is written
 * @param seconds of the time in which reads are counted; 0 for other measures
 */
public record RuleCondition(
    String text, Measure measure, double seconds, Comparison comparison, double value) {
  /** The figure that is compared. */
  public enum Measure {
    /** How often the file was read in a time. */
    READS,
    /** Its length in bytes. */
    SIZE,
    /** The seconds since it was written. */
    AGE,
    /** Its number of replicas. */
    REPLICAS
  }

  /** How it is compared. */
  public enum Comparison {
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">="),
    EQUAL("=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }

    private boolean holds(double what, double value) {
      return switch (this) {
        case LESS -> what < value;
        case AT_MOST -> what <= value;
        case MORE -> what > value;
        case AT_LEAST -> what >= value;
        case EQUAL -> what == value;
      };
    }
  }

  /** Why it does not hold; empty when it does. */
  Optional<String> whyNot(FileFacts facts) {
    return switch (measure) {
      case READS -> reads(facts);
      case SIZE ->
          unless((double) facts.bytes(), String.format(Locale.ROOT, "%d bytes", facts.bytes()));
      case AGE ->
          unless(
              facts.writtenSecondsAgo(),
              String.format(Locale.ROOT, "%.0f s old", facts.writtenSecondsAgo()));
      case REPLICAS -> unless(facts.replicas(), facts.replicas() + " replicas");
    };
  }

  private Optional<String> unless(double what, String words) {
    return comparison.holds(what, value)
        ? Optional.empty()
        : Optional.of(text + " does not hold: " + words);
  }

  private Optional<String> reads(FileFacts facts) {
    FileFacts.Reads reads = facts.reads(seconds);
    boolean bounded = comparison != Comparison.MORE && comparison != Comparison.AT_LEAST;
    FileFacts.Counted counted = facts.counted();
    if (bounded && counted.seconds() < seconds) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s is not known: reads have been counted for %.1f h alone (%s)",
              text,
              counted.seconds() / 3600,
              counted.why()));
    }
    if (comparison.holds((double) reads.least(), value)
        && comparison.holds((double) reads.most(), value)) {
      return Optional.empty();
    }
    return Optional.of(
        text
            + " does not hold: "
            + reads.least()
            + (reads.most() == reads.least() ? "" : " to " + reads.most())
            + (reads.most() == 1 ? " read" : " reads"));
  }
}
