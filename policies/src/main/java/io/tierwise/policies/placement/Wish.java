package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import java.util.Objects;

/**
 * What one replica should be, as the engine takes it: unlike {@link Slot} it may accept a set of
 * tiers (a zone). The engine gives a part of it up rather than leave the replica out.
 *
 * @param tiers bit t is set when tier t of the view's table is accepted, not 0; bits of tiers that
 *     the table lacks accept nothing; {@link #ALL_TIERS} also accepts a volume that no tier matches
 * @param slot the same for people, with the region and the place; its tier is {@link Slot#ANY} when
 *     several are accepted. A region that the view lacks is given up, and the decision says so
 * @param async whether a write may return before the replica is there; counts only in a policy that
 *     {@linkplain PlacementPolicy#writesAsync says} that it has such wishes
 */
public record Wish(long tiers, Slot slot, boolean async) {
  /** Any tier, and none. */
  public static final long ALL_TIERS = -1L;

  /** A replica, wherever it is. */
  static final Wish ANYTHING = of(Slot.inTier(Slot.ANY, Spread.ANYWHERE));

  public Wish {
    Objects.requireNonNull(slot, "slot");
    if (tiers == 0) {
      throw new IllegalArgumentException("a wish must accept at least one tier");
    }
  }

  /** A wish for a replica that the write waits for. */
  public Wish(long tiers, Slot slot) {
    this(tiers, slot, false);
  }

  /** One tier, from 0, the fastest; any region. */
  public static Wish inTier(int tier, Spread spread) {
    return new Wish(bit(tier), Slot.inTier(tier, spread));
  }

  /**
   * A set of tiers in one region.
   *
   * @param tiers the sum of the {@linkplain #bit bits}, or {@link #ALL_TIERS}
   * @param region its id in the view, or {@link Slot#ANY}
   */
  public static Wish inTiers(long tiers, int region, Spread spread) {
    boolean one = Long.bitCount(tiers) == 1;
    int tier = one ? Long.numberOfTrailingZeros(tiers) : Slot.ANY;
    return new Wish(tiers, new Slot(tier, region, spread));
  }

  /** The wish that says the same as the slot. */
  public static Wish of(Slot slot) {
    return new Wish(slot.tier() == Slot.ANY ? ALL_TIERS : bit(slot.tier()), slot);
  }

  /** The bit of a tier in a set of tiers; tier is from 0 to {@link TierTable#COUNT_MAX} - 1. */
  public static long bit(int tier) {
    return 1L << tier;
  }

  /** The slowest of a set of tiers that is not empty. */
  static int slowestOf(long tiers) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(tiers);
  }

  /** Whether the tier, or {@link TierTable#NONE}, is one that the wish names. */
  public boolean acceptsTier(int tier) {
    return tiers == ALL_TIERS || (tier != TierTable.NONE && (tiers & bit(tier)) != 0);
  }

  /** Whether the region is the one that the wish names, or it names none. */
  public boolean acceptsRegion(int region) {
    return slot.region() == Slot.ANY || slot.region() == region;
  }

  /** The same wish at another place. */
  public Wish withSpread(Spread spread) {
    return slot.spread() == spread
        ? this
        : new Wish(tiers, new Slot(slot.tier(), slot.region(), spread), async);
  }

  /** The same wish, for a replica that may come after the write. */
  public Wish inBackground() {
    return async ? this : new Wish(tiers, slot, true);
  }
}
