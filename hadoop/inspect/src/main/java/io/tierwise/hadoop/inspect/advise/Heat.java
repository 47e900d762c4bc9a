package io.tierwise.hadoop.inspect.advise;

/** How often a file was read while the log was written. */
public enum Heat {
  /** Twice and more, and as often a day as was asked for. */
  HOT,
  /** Less often. */
  WARM,
  /** Never. */
  COLD
}
