package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.Words;

/** A kind of misplacement; the bytes behind it say what mending it takes or frees. */
public enum Misplaced {
  /** No replica is wanted on a tier above plain disks. */
  HOT_NOT_ON_FAST("hot, no replica on a fast tier", "a replica there takes "),
  /** All replicas are wanted below plain disks. */
  HOT_ON_SLOW("hot, on slower tiers than disk", "moving them takes "),
  /** More readers at once than replicas. */
  HOT_FEW_REPLICAS("hot, more readers at once than replicas", "a replica a reader takes "),
  /** Replicas are wanted above plain disks. */
  COLD_ON_FAST("cold, on a fast tier", "moving them frees there "),
  /** Three replicas and more of what nobody reads. */
  COLD_REPLICATED("cold, three replicas or more", "RS-6-3 instead frees ");

  private final String text;
  private final String cure;

  Misplaced(String text, String cure) {
    this.text = text;
    this.cure = cure;
  }

  /** For people. */
  String text() {
    return text;
  }

  /** The bytes of a cure, for people. */
  String cure(long bytes) {
    return cure + Words.bytes(bytes);
  }
}
