package io.tierwise.experiments.reproduce;

/**
 * A line of {@code expected.csv}, or a number of ours that stands beside them.
 *
 * @param printed null for a number that the paper does not have
 * @param where section and words of the paper
 */
public record ExpectedRow(RowKey key, Printed printed, String unit, String where) {
  /** A number that the paper does not have. */
  static ExpectedRow beside(RowKey key, String unit) {
    return new ExpectedRow(key, null, unit, "");
  }

  public boolean isPrinted() {
    return printed != null;
  }

  /** For people. */
  String printedText() {
    return isPrinted() ? printed.text() : "-";
  }
}
