package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;

/**
 * hatS's hybrid placement: the replicas stand in HDFS's racks and in distinct tiers. The first is
 * on the writer's node, the second in another rack and another tier, the third in the remaining
 * tier and in the rack of one of the two.
 *
 * <p>The tiers of a file are those of {@link TierAwarePlacement}. The first replica takes the
 * fastest of them that the writer's node has, else that its rack has; the others follow, fastest
 * first. A fast first replica is worth it: it is the source of the pipeline, and the writer waits
 * for it.
 *
 * <p>Source: DerbyhatS, 4.1.3.3. Own: which tier comes second (the paper only wants another one),
 * and replicas beyond the third (slowest tier, anywhere). A new copy's place follows HDFS's order,
 * its tier is the one that no replica stands in. {@code racks=3} is own, too: the third replica
 * goes to a third rack where there is one with room in its tier. With three racks each then holds a
 * replica, and one more copy crosses racks when a block is written.
 */
public final class HybridPlacement extends SlotPlacement {
  /** Over which a block of three replicas spreads in HDFS. */
  static final int RACKS_DEFAULT = 2;

  static final int RACKS_MAX = 3;

  private final boolean overThreeRacks;

  /** hatS's own. */
  public HybridPlacement() {
    this(RACKS_DEFAULT);
  }

  /**
   * @param racks over which a block's first three replicas spread where the cluster has so many: 2
   *     or 3
   */
  public HybridPlacement(int racks) {
    super(PolicyText.HYBRID + (racks == RACKS_DEFAULT ? "" : ":racks=" + racks), true);
    this.overThreeRacks = racks == RACKS_MAX;
  }

  @Override
  protected Spread spread(Wish wish, SlotFiller filler, ClusterView view) {
    return overThreeRacks ? filler.threeRackSpread() : filler.stockSpread();
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    TierTable tiers = view.tiers();
    int middle = FileTiers.middle(request.file(), tiers);
    boolean newBlock = request.existingVolumes().length == 0;
    int first = newBlock ? firstTier(request, total, middle, view) : 0;
    Wish[] wishes = new Wish[total];
    for (int i = 0; i < total; i++) {
      int tier = FileTiers.fastestFirst(i, middle, tiers);
      // The first replica's tier moves to the front; those it overtakes keep their order.
      int at = i == first ? 0 : i < first ? i + 1 : i;
      boolean third = overThreeRacks && at == 2 && view.rackCount() > 2;
      wishes[at] = Wish.inTier(tier, third ? Spread.OTHER_RACK : StockOrder.spread(at));
    }
    return wishes;
  }

  /** The file's tier, counted fastest first, that the first replica of a new block takes. */
  private static int firstTier(PlacementRequest request, int total, int middle, ClusterView view) {
    TierTable tiers = view.tiers();
    int copies = Math.min(total, Math.min(tiers.countedCount(), 3));
    int node = request.writerNode();
    boolean nodeTakes = node != ClusterView.NONE && !request.excluded().contains(node);
    for (int i = 0; nodeTakes && i < copies; i++) {
      int store = view.storeOfNode(node, FileTiers.fastestFirst(i, middle, tiers));
      if (store != ClusterView.NONE
          && view.check(store, request.blockBytes()) == Refusal.NONE
          && view.volumeIn(store, request.blockBytes(), 0) != ClusterView.NONE) {
        return i;
      }
    }
    int rack = Writers.rack(request, view);
    for (int i = 0; rack != ClusterView.NONE && i < copies; i++) {
      int tier = FileTiers.fastestFirst(i, middle, tiers);
      if (view.cellStart(tier, rack) < view.cellStart(tier, rack + 1)) {
        return i;
      }
    }
    return 0;
  }
}
