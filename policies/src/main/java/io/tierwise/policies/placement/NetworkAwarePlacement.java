package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;

/**
 * HDFS's own rule over tiered stores: the first replica on the writer's node, the second in another
 * rack, the third in the second's rack, the rest anywhere under the rack limit. Knows no speeds.
 *
 * <p>Source: DerbyhatS, 4.1.3.1; Apache Hadoop 3.5.0, {@code BlockPlacementPolicyDefault}.
 * Deviation: the writer's node must be able to take the block like any other; HDFS also takes it
 * when it is overloaded. Every store has the same chance, as in hatS, where each is a DataNode of
 * its own; HDFS draws nodes.
 */
public final class NetworkAwarePlacement extends SlotPlacement {
  private final StockOrder order;

  /** Over all tiers. */
  public NetworkAwarePlacement() {
    this(PolicyText.NETWORK_AWARE, Wish.ALL_TIERS);
  }

  /** Over the tiers whose bits are set in {@code tiers}. */
  NetworkAwarePlacement(String name, long tiers) {
    super(name, true);
    this.order = new StockOrder(tiers);
  }

  @Override
  protected Spread spread(Wish wish, SlotFiller filler, ClusterView view) {
    return filler.stockSpread();
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    return order.wishes(total);
  }
}
