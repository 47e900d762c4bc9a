package io.tierwise.hadoop.conformance;

import java.util.Locale;

/** The verdict of a test's or a class's runs on the plug-ins; the worst comes first. */
public enum Verdict {
  /** Passes on stock, not with the plug-ins; or fails only with the plug-ins. */
  REGRESSION,
  /** Stock passed no test of the class: nothing was checked. */
  NOTHING_RAN,
  /** Fails on stock, and nobody wrote down why. */
  STOCK_FAILURE,
  /** Failed with the plug-ins, and stock was not run to compare with. */
  NOT_COMPARED,
  /** One side both passed and did not pass. */
  FLAKY,
  /** Passes on stock, not with the plug-ins, for a cause that is written down. */
  KNOWN_DIFFERENCE,
  /** Fails on stock for a cause that is written down. */
  KNOWN_STOCK_FAILURE,
  PASSES,
  SKIPPED;

  /** For tables: {@code known stock failure}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
