package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.OperatorException;
import java.util.Map;

/**
 * The printed numbers of a world in which nothing that the paper compares has an effect: a ratio is
 * 1, a change of so many percent 0. A row says so itself, as {@code no-effect}, where its unit does
 * not tell: a number, {@code none} for a number that compares nothing, or {@code printed METRIC}
 * for what the paper prints for the same figure and case under another metric.
 */
final class NullModel {
  private static final String NONE = "none";
  private static final String PRINTED = "printed ";

  private NullModel() {}

  /**
   * The number without an effect, or null for a row that compares nothing, or that the paper does
   * not have.
   *
   * @param told what the row says; empty for nothing
   * @param printed the paper's numbers
   */
  static Double of(ExpectedRow row, String told, Map<RowKey, Printed> printed) {
    if (!row.isPrinted()) {
      return null;
    }
    if (told.isEmpty()) {
      return switch (row.unit()) {
        case "ratio" -> 1.0;
        case "%" -> 0.0;
        default -> null;
      };
    }
    if (told.equals(NONE)) {
      return null;
    }
    if (told.startsWith(PRINTED)) {
      RowKey key = row.key();
      String metric = told.substring(PRINTED.length());
      if (metric.equals(key.metric())) {
        return null;
      }
      Printed other = printed.get(new RowKey(key.figure(), key.name(), metric));
      if (other == null) {
        throw wrong(row, told, "the paper prints no " + metric + " there");
      }
      return other.value();
    }
    try {
      return Double.valueOf(told);
    } catch (NumberFormatException e) {
      throw wrong(row, told, "must be a number, none, or printed METRIC");
    }
  }

  private static OperatorException wrong(ExpectedRow row, String told, String problem) {
    return OperatorException.badInput(row.key() + ": no-effect is " + told + ": " + problem);
  }
}
