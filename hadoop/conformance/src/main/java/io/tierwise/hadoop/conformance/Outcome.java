package io.tierwise.hadoop.conformance;

/** The outcome of one test in one run of its class. */
public enum Outcome {
  PASSED,
  FAILED,
  /** Disabled, or an assumption did not hold. */
  SKIPPED,
  /** The run said nothing about it: it has no such test, or ended before reaching it. */
  MISSING
}
