package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;

/**
 * φSched's placement: the replicas are dealt out over the regions, so that each region that gets
 * one holds a whole copy of the file.
 *
 * <p>The first replica goes to the file's home region (the first block's: the writer's), the others
 * round robin to the other regions, in an order drawn for the file. With more replicas than regions
 * the round starts again, in another rack of each region. With one region this is {@link
 * NetworkAwarePlacement}.
 *
 * <p>Source: DerbyhatS, 7.1.4, which distributes three replicas over the regions and keeps all
 * blocks of a file in each. Own: home, order, and the second round; the paper names none. A fixed
 * order would load the regions after a busy one.
 */
public final class RegionAwarePlacement extends SlotPlacement {
  private static final StockOrder ONE_REGION = new StockOrder(Wish.ALL_TIERS);

  public RegionAwarePlacement() {
    super(PolicyText.REGION_AWARE, true);
  }

  @Override
  boolean spreadsAsStock(ClusterView view) {
    return view.regionCount() <= 1;
  }

  @Override
  Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    int regionCount = view.regionCount();
    if (regionCount <= 1) {
      return ONE_REGION.wishes(total);
    }
    int home = home(request, view);
    int firstOther = FileHash.below(regionCount - 1, request.file());
    Wish[] wishes = new Wish[total];
    for (int i = 0; i < total; i++) {
      int turn = i % regionCount;
      int region = turn == 0 ? home : other(turn - 1 + firstOther, home, regionCount);
      Spread spread =
          i == 0 ? Spread.WRITER_NODE : i < regionCount ? Spread.ANYWHERE : Spread.OTHER_RACK;
      wishes[i] = new Wish(Wish.ALL_TIERS, new Slot(Slot.ANY, region, spread));
    }
    return wishes;
  }

  /** The {@code position}-th region, round and round, of those that are not {@code home}. */
  private static int other(int position, int home, int regionCount) {
    int region = position % (regionCount - 1);
    return region < home ? region : region + 1;
  }

  private static int home(PlacementRequest request, ClusterView view) {
    int home = request.file().homeRegion();
    for (int i = 0; home == ClusterView.NONE && i < request.existingVolumes().length; i++) {
      int volume = request.existingVolumes()[i];
      if (volume != ClusterView.NONE) {
        home = view.regionOfRack(view.rackOfNode(view.nodeOfVolume(volume)));
      }
    }
    if (home == ClusterView.NONE) {
      home = Writers.region(request, view);
    }
    boolean known = home != ClusterView.NONE && home < view.regionCount();
    return known ? home : FileHash.below(view.regionCount(), request.file());
  }
}
