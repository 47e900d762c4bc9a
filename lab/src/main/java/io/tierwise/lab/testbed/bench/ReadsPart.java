package io.tierwise.lab.testbed.bench;

/** The measurements of one order of replicas beside the others. */
public enum ReadsPart {
  /** The usual number of readers, at each link speed. */
  LINKS,
  /** Few and many readers, at each link speed. */
  READERS,
  /** A slow device, a slow link, writers beside the readers: each at one link speed. */
  FAULTS
}
