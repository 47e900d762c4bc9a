package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;

/**
 * A slot as the engine fills it: unlike {@link Slot} it may accept a set of tiers (a zone).
 *
 * @param tiers bit t is set when tier t is accepted; {@link #ALL_TIERS} also accepts a volume that
 *     no tier matches
 * @param slot the same for people; its tier is {@link Slot#ANY} when several are accepted
 * @param async whether a write may return before the replica is there
 */
record Wish(long tiers, Slot slot, boolean async) {
  static final long ALL_TIERS = -1L;

  Wish(long tiers, Slot slot) {
    this(tiers, slot, false);
  }

  static Wish inTier(int tier, Spread spread) {
    return new Wish(bit(tier), Slot.inTier(tier, spread));
  }

  static Wish inTiers(long tiers, int region, Spread spread) {
    boolean one = Long.bitCount(tiers) == 1;
    int tier = one ? Long.numberOfTrailingZeros(tiers) : Slot.ANY;
    return new Wish(tiers, new Slot(tier, region, spread));
  }

  static Wish of(Slot slot) {
    return new Wish(slot.tier() == Slot.ANY ? ALL_TIERS : bit(slot.tier()), slot);
  }

  static long bit(int tier) {
    return 1L << tier;
  }

  /** The slowest of a set of tiers that is not empty. */
  static int slowestOf(long tiers) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(tiers);
  }

  boolean acceptsTier(int tier) {
    return tiers == ALL_TIERS || (tier != TierTable.NONE && (tiers & bit(tier)) != 0);
  }

  boolean acceptsRegion(int region) {
    return slot.region() == Slot.ANY || slot.region() == region;
  }

  /** The same wish at another place. */
  Wish withSpread(Spread spread) {
    return slot.spread() == spread
        ? this
        : new Wish(tiers, new Slot(slot.tier(), slot.region(), spread), async);
  }

  /** The same wish, for a replica that may come after the write. */
  Wish inBackground() {
    return async ? this : new Wish(tiers, slot, true);
  }
}
