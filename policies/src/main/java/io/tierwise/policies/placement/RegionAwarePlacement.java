package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Arrays;

/**
 * φSched's placement: the replicas are dealt out over the regions, so that each region that gets
 * one holds a whole copy of the file.
 *
 * <p>Which regions, and which of them hold one replica more when the number does not come out even,
 * follows from the file's id and the regions' names alone: each region draws a number for the file,
 * and the lowest come first. So it is the same for every block, for each repair and after a
 * restart, and a region that comes or goes changes nothing for files that are not in it. A new
 * block's first replica goes to the writer's region where that is one of the file's. A second
 * replica in a region stands in another rack. With one region this is {@link
 * NetworkAwarePlacement}.
 *
 * <p>Source: DerbyhatS, 7.1.4, which distributes three replicas over the regions, keeps all blocks
 * of a file in each, and lets a write return before the replicas in other regions are there. Own:
 * the draw and the second round; the paper names none. A fixed order would load the regions after a
 * busy one.
 */
public final class RegionAwarePlacement extends SlotPlacement {
  /** Low bits of a draw that name the region: no topology has so many. */
  private static final long REGION_BITS = (1L << 20) - 1;

  private static final StockOrder ONE_REGION = new StockOrder(Wish.ALL_TIERS);

  private final boolean async;

  public RegionAwarePlacement() {
    this(false);
  }

  /**
   * @param async whether a write returns when the replicas in its first region are there, and the
   *     others follow
   */
  RegionAwarePlacement(boolean async) {
    super(PolicyText.REGION_AWARE + (async ? ":" + PolicyText.ASYNC : ""), true);
    this.async = async;
  }

  @Override
  public boolean writesAsync() {
    return async;
  }

  @Override
  protected Spread spread(Wish wish, SlotFiller filler, ClusterView view) {
    return view.regionCount() <= 1 ? filler.stockSpread() : wish.slot().spread();
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    int regionCount = view.regionCount();
    if (regionCount <= 1) {
      return ONE_REGION.wishes(total);
    }
    int[] regions = regionsOf(request.file(), view);
    int[] firstRound = regions;
    if (request.existingVolumes().length == 0) {
      firstRound = writerFirst(regions, Math.min(total, regionCount), request, view);
    }
    Wish[] wishes = new Wish[total];
    for (int i = 0; i < total; i++) {
      int region = i < regionCount ? firstRound[i] : regions[i % regionCount];
      Spread spread =
          i == 0 ? Spread.WRITER_NODE : i < regionCount ? Spread.ANYWHERE : Spread.OTHER_RACK;
      boolean first = request.existingVolumes().length == 0 && region == firstRound[0];
      wishes[i] = new Wish(Wish.ALL_TIERS, new Slot(Slot.ANY, region, spread), async && !first);
    }
    return wishes;
  }

  /** All regions in the file's order. */
  private static int[] regionsOf(FileView file, ClusterView view) {
    long[] draws = new long[view.regionCount()];
    for (int region = 0; region < draws.length; region++) {
      // The low bits carry the region through the sort; a tie goes by name, as the numbers do.
      draws[region] = (FileHash.of(file, view.regionName(region)) & ~REGION_BITS) | region;
    }
    Arrays.sort(draws);
    int[] regions = new int[draws.length];
    Arrays.setAll(regions, i -> (int) (draws[i] & REGION_BITS));
    return regions;
  }

  /** The same regions, that of the writer before the others if it is among the first. */
  private static int[] writerFirst(
      int[] regions, int count, PlacementRequest request, ClusterView view) {
    int writers = Writers.region(request, view);
    int[] moved = regions.clone();
    for (int i = 0; i < count; i++) {
      if (regions[i] == writers) {
        System.arraycopy(regions, 0, moved, 1, i);
        moved[0] = writers;
      }
    }
    return moved;
  }
}
