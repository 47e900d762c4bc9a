package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;

/** The wishes of a new block in HDFS's own order, all in one set of tiers; made once and reused. */
final class StockOrder {
  private static final int DISTINCT = 4;

  private final Wish[] byPosition = new Wish[DISTINCT];

  /** Over the tiers whose bits are set in {@code tiers}, in any region. */
  StockOrder(long tiers) {
    for (int i = 0; i < DISTINCT; i++) {
      byPosition[i] = Wish.inTiers(tiers, Slot.ANY, spread(i));
    }
  }

  Wish[] wishes(int total) {
    Wish[] wishes = new Wish[total];
    for (int i = 0; i < total; i++) {
      wishes[i] = byPosition[Math.min(i, DISTINCT - 1)];
    }
    return wishes;
  }

  /**
   * Where the replica at {@code position}, from 0, goes when those before it went as they should.
   */
  static Spread spread(int position) {
    return switch (position) {
      case 0 -> Spread.WRITER_NODE;
      case 1 -> Spread.OTHER_RACK;
      case 2 -> Spread.SHARED_RACK;
      default -> Spread.ANYWHERE;
    };
  }
}
