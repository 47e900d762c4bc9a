package io.tierwise.cli.reproduce;

import io.tierwise.simulator.report.Estimate;

/**
 * A printed number beside ours.
 *
 * @param ours null when its runs were not made
 * @param calibrated whether ours was fitted to it and so predicts nothing
 * @param cause why it does not reproduce, as the reproduction's folder says
 */
record Comparison(
    ExpectedRow row, Tolerance tolerance, Estimate ours, boolean calibrated, String cause) {
  /** What the comparison says. */
  enum Verdict {
    REPRODUCES("reproduces"),
    CALIBRATED("calibrated"),
    DOES_NOT_REPRODUCE("does not reproduce"),
    NOT_RUN("not run");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** The same with another number of ours. */
  Comparison with(Estimate other) {
    return new Comparison(row, tolerance, other, calibrated, cause);
  }

  Verdict verdict() {
    if (ours == null) {
      return Verdict.NOT_RUN;
    }
    if (!tolerance.accepts(row.printed(), ours.mean())) {
      return Verdict.DOES_NOT_REPRODUCE;
    }
    return calibrated ? Verdict.CALIBRATED : Verdict.REPRODUCES;
  }
}
