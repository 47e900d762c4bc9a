package io.tierwise.core.data;

import java.util.List;

/**
 * The wanted replicas of a file: one slot a replica, in the order in which they are placed.
 *
 * <p>Whole-copy invariant: a tier (region) that a slot names holds every block of the file as long
 * as it has room. New replicas beyond the last slot repeat it without its spread; stored ones
 * beyond the slots may stand anywhere. With fewer replicas than slots the first slots count.
 *
 * @param slots at least one
 */
public record Layout(List<Slot> slots) {
  public Layout {
    slots = List.copyOf(slots);
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("a layout needs at least one replica");
    }
  }

  /**
   * The wish for one replica.
   *
   * @param tier index of the tier it must be in, or {@link #ANY}
   * @param region region it must be in, or {@link #ANY}
   * @param spread where it stands relative to the writer and to the replicas before it
   */
  public record Slot(int tier, int region, Spread spread) {
    /** Any tier, or any region. */
    public static final int ANY = -1;

    public static Slot inTier(int tier, Spread spread) {
      return new Slot(tier, ANY, spread);
    }
  }

  /** Where a replica stands relative to the writer and to the replicas before it. */
  public enum Spread {
    /** Anywhere in the cluster. */
    ANYWHERE,
    /** On the writer's own node; else in its rack. */
    WRITER_NODE,
    /** In a rack that holds no replica yet. */
    OTHER_RACK,
    /** In a rack that holds a replica already, the latest one's first. */
    SHARED_RACK
  }
}
