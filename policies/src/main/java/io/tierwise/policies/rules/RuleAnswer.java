package io.tierwise.policies.rules;

/**
 * The answer of a rule, or of one of its conditions, about a file.
 *
 * @param why it does not hold, or is not known; empty when it holds
 */
public record RuleAnswer(Kind kind, String why) {
  static final RuleAnswer HOLDS = new RuleAnswer(Kind.HOLDS, "");

  /** About a file of another path. */
  public static final RuleAnswer OTHER_PATH = fails("another path");

  /** The three answers that there are. */
  public enum Kind {
    /** For certain. */
    HOLDS,
    /** For certain not. */
    FAILS,
    /** It depends on reads that nobody counted, or that stand beside a window's border. */
    NOT_KNOWN
  }

  static RuleAnswer fails(String why) {
    return new RuleAnswer(Kind.FAILS, why);
  }

  static RuleAnswer notKnown(String why) {
    return new RuleAnswer(Kind.NOT_KNOWN, why);
  }

  /** Whether it holds for certain. */
  public boolean holds() {
    return kind == Kind.HOLDS;
  }

  /** Whether it may hold: for certain it does not fail. */
  public boolean mayHold() {
    return kind != Kind.FAILS;
  }
}
