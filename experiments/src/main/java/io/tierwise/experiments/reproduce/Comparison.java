package io.tierwise.experiments.reproduce;

import io.tierwise.simulator.report.Estimate;
import java.util.Locale;

/**
 * A printed number beside ours, or ours alone where the paper has none.
 *
 * @param tolerance null where the paper has no number
 * @param ours null when its runs were not made
 * @param noEffect what {@link NullModel} answers; null when it has no answer
 * @param basis what ours stands on
 * @param cause why it does not reproduce, as the reproduction's folder says
 */
public record Comparison(
    ExpectedRow row,
    Tolerance tolerance,
    Estimate ours,
    Double noEffect,
    Basis basis,
    String cause) {
  /** The result of the comparison. */
  public enum Verdict {
    REPRODUCES("reproduces"),
    CALIBRATED("calibrated"),
    GIVEN("given"),
    DOES_NOT_REPRODUCE("does not reproduce"),
    NOT_RUN("not run"),
    NOT_PRINTED("not in the paper");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** The same with another number of ours. */
  Comparison with(Estimate other) {
    return new Comparison(row, tolerance, other, noEffect, basis, cause);
  }

  public Verdict verdict() {
    if (!row.isPrinted()) {
      return Verdict.NOT_PRINTED;
    }
    if (ours == null) {
      return Verdict.NOT_RUN;
    }
    if (!tolerance.accepts(row.printed(), ours.mean())) {
      return Verdict.DOES_NOT_REPRODUCE;
    }
    return switch (basis) {
      case PREDICTED -> Verdict.REPRODUCES;
      case CALIBRATED -> Verdict.CALIBRATED;
      case GIVEN -> Verdict.GIVEN;
    };
  }

  String toleranceText() {
    return tolerance == null ? "-" : tolerance.text();
  }

  /** Our number as people read it, with its half width if there is one. */
  public String oursText() {
    if (ours == null) {
      return "-";
    }
    if (!Double.isFinite(ours.mean())) {
      return "no number";
    }
    String text = String.format(Locale.ROOT, "%.4g", ours.mean());
    double half = ours.halfWidth();
    return half > 0 ? text + String.format(Locale.ROOT, " ± %.2g", half) : text;
  }
}
