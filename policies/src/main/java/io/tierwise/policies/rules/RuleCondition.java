package io.tierwise.policies.rules;

import io.tierwise.core.message.Words;
import java.util.Locale;

/**
 * A comparison that holds, does not hold, or is not known: reads that may be more or fewer, or of a
 * time in which nobody counted, do not make a rule fire, and do not say that it is not for a file.
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

    /** Whether it holds for no number from the least to the most. */
    private boolean failsBetween(double least, double most, double value) {
      return this == EQUAL
          ? value < least || value > most
          : !holds(least, value) && !holds(most, value);
    }
  }

  /** Whether it holds for a file. */
  RuleAnswer ask(FileFacts facts) {
    return switch (measure) {
      case READS -> reads(facts);
      case SIZE ->
          known((double) facts.bytes(), String.format(Locale.ROOT, "%d bytes", facts.bytes()));
      case AGE ->
          known(
              facts.writtenSecondsAgo(),
              String.format(Locale.ROOT, "%.0f s old", facts.writtenSecondsAgo()));
      case REPLICAS -> known(facts.replicas(), facts.replicas() + " replicas");
    };
  }

  private RuleAnswer known(double what, String words) {
    return comparison.holds(what, value)
        ? RuleAnswer.HOLDS
        : RuleAnswer.fails(text + " does not hold: " + words);
  }

  /** Reads of a time that nobody heard may be any number more than those that were. */
  private RuleAnswer reads(FileFacts facts) {
    FileFacts.Reads reads = facts.reads(seconds);
    FileFacts.Counted counted = facts.counted();
    boolean heard = counted.seconds() >= seconds;
    double least = (double) reads.least();
    double most = heard ? (double) reads.most() : Double.POSITIVE_INFINITY;
    if (comparison.holds(least, value) && comparison.holds(most, value)) {
      return RuleAnswer.HOLDS;
    }
    String words =
        reads.least()
            + (reads.most() == reads.least() ? "" : " to " + reads.most())
            + (reads.most() == 1 ? " read" : " reads");
    if (comparison.failsBetween(least, most, value)) {
      return RuleAnswer.fails(text + " does not hold: " + words);
    }
    return RuleAnswer.notKnown(
        heard
            ? text + " is not known: " + words
            : text
                + " is not known: reads have been counted for "
                + time(counted.seconds())
                + " alone ("
                + counted.why()
                + ")");
  }

  /** In no smaller parts than minutes: what stays for one reason is told together. */
  private static String time(double seconds) {
    return seconds < 60 ? "less than a minute" : Words.duration(Math.floor(seconds / 60) * 60);
  }
}
