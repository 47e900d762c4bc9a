package io.tierwise.lab.testbed.bench;

/**
 * The measurements of one order of replicas beside the others. The first three make up the whole
 * bench, which keeps within half an hour by few repeats of what costs most; the others are measured
 * as often as the bench is told: parts of those, and what the whole has no time for.
 */
public enum ReadsPart {
  /** The usual number of readers, at each link speed. */
  LINKS,
  /** Few and many readers, at each link speed. */
  READERS,
  /** A slow device, a slow link, writers beside the readers: each at one link speed. */
  FAULTS,
  FEW_READERS,
  MANY_READERS,
  SLOW_DEVICE,
  SLOW_LINK,
  BACKGROUND_WRITERS,
  /** Links that NameNode and clients take for ten times slower and faster than they are. */
  WRONG_LINKS,
  /** Uplinks that the NameNode knows, and not; with an oversubscription alone. */
  UNTOLD_UPLINKS,
  /** Readers that tell the NameNode how fast they read, where nothing is slow. */
  REPORTS,
  /** The third replica in a third rack, and what that costs writers. */
  THIRD_RACK
}
