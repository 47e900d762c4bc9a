package io.tierwise.hadoop.conformance;

import java.util.Locale;

/** What a test class runs against. */
public enum Side {
  /** Hadoop as published. */
  STOCK,
  /** Hadoop with the plug-ins configured as the defaults. */
  OURS;

  /** How people and folders call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
