package io.tierwise.experiments.reproduce;

import java.util.Locale;

/**
 * The value that a paper prints: a number, or a bound such as {@code <= 5.5} for "within 5.5%".
 *
 * @param text as written in the file
 */
public record Printed(String text, Relation relation, double value) {
  /** How ours has to stand to the printed number. */
  public enum Relation {
    EQUAL,
    AT_MOST,
    AT_LEAST
  }

  /**
   * Reads a cell.
   *
   * @throws NumberFormatException when it is no number
   */
  static Printed parse(String cell) {
    String text = cell.strip();
    if (text.startsWith("<=") || text.startsWith(">=")) {
      Relation relation = text.startsWith("<") ? Relation.AT_MOST : Relation.AT_LEAST;
      return new Printed(text, relation, Double.parseDouble(text.substring(2).strip()));
    }
    return new Printed(text, Relation.EQUAL, Double.parseDouble(text));
  }

  /** How far ours misses; 0 when a bound is kept, NaN when ours is no number. */
  double missOf(double ours) {
    double difference = ours - value;
    return switch (relation) {
      case EQUAL -> Math.abs(difference);
      case AT_MOST -> Double.isNaN(ours) ? ours : Math.max(0, difference);
      case AT_LEAST -> Double.isNaN(ours) ? ours : Math.max(0, -difference);
    };
  }

  /** Six digits: what committed files hold, the same on every machine. */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    return String.format(Locale.ROOT, "%.6g", value == 0 ? 0.0 : value);
  }
}
