package io.tierwise.experiments.reproduce;

import java.util.Locale;

/**
 * How far ours may be from the printed number.
 *
 * @param absolute in the row's unit; NaN when {@code relative} says it
 * @param relative share of the printed number; NaN when {@code absolute} says it
 * @param reason why so far and no farther
 */
public record Tolerance(double absolute, double relative, String reason) {
  /** Whether ours reproduces what is printed. */
  boolean accepts(Printed printed, double ours) {
    return accepts(printed, ours, 1);
  }

  /** The same with {@code factor} times the tolerance; with NaN nothing is near enough. */
  boolean accepts(Printed printed, double ours, double factor) {
    return printed.missOf(ours) <= factor * room(printed);
  }

  /** By how much the tolerance would have to be multiplied to accept a number. */
  double factorFor(Printed printed, double ours) {
    double miss = printed.missOf(ours);
    return miss == 0 ? 0 : miss / room(printed);
  }

  private double room(Printed printed) {
    return Double.isNaN(absolute) ? relative * Math.abs(printed.value()) : absolute;
  }

  public String text() {
    return Double.isNaN(absolute)
        ? String.format(Locale.ROOT, "±%.0f%%", 100 * relative)
        : "±" + (absolute == Math.rint(absolute) ? (long) absolute + "" : absolute + "");
  }
}
