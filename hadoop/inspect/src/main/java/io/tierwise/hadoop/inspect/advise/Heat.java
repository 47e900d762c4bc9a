package io.tierwise.hadoop.inspect.advise;

/** Classes of files by how often they were read while the log was written. */
public enum Heat {
  /** Read at least twice, and at least as often a day as was asked for. */
  HOT,
  /** Less often. */
  WARM,
  /** Never. */
  COLD
}
