package io.tierwise.hadoop.conformance;

import java.util.Locale;

/** The side that a test class runs against. */
public enum Side {
  /** Hadoop as published. */
  STOCK,
  /** Hadoop with the plug-ins configured as the defaults; no path is under a policy. */
  INSTALLED,
  /** The same, and every path is under a placement policy and an access strategy. */
  DECIDING;

  /** How people and folders call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether our jar is there. */
  public boolean hasPlugins() {
    return this != STOCK;
  }
}
