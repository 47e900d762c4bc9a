package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.data.Ratio;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * HDFS_H's placement: a share ρ of a data set's blocks goes to the SSD zone, the rest to the disk
 * zone; all replicas of a block stay in its zone, in HDFS's racks. Any number of zones, each a set
 * of tiers with a share.
 *
 * <p>SSDzone = ceil(ρ n), HDzone = floor((1 - ρ) n) of the data set's n blocks. Source: HDFS_H, Eq.
 * 7-9. Deviation: the paper knows n beforehand; here the equation holds at every n while the data
 * set grows: block i, from 0, goes to the zone iff ceil(ρ (i + 1)) > ceil(ρ i). Own: with more
 * zones, each in turn takes the ceiling of its share of what the earlier ones left.
 *
 * <p>A new copy of a block goes to the zone that most of its replicas are in: the block's place in
 * the data set may have changed since it was written. When no replica is live, the volumes of the
 * source tell the zone if all are in one.
 */
public final class ZoneRatioPlacement extends SlotPlacement implements ZoneShares {
  /**
   * A set of tiers and its share of the blocks.
   *
   * @param tiers bit t is set when tier t belongs to the zone
   */
  record Zone(long tiers, Ratio share) {}

  private final long[] zoneTiers;
  private final StockOrder[] orders;
  private final Ratio[] sharesOfRest;
  private final boolean overDirectory;

  /**
   * @param zones disjoint, their shares add up to one
   */
  ZoneRatioPlacement(String name, List<Zone> zones, boolean overDirectory) {
    super(name, true);
    this.overDirectory = overDirectory;
    this.zoneTiers = zones.stream().mapToLong(Zone::tiers).toArray();
    this.orders =
        zones.stream().map(zone -> new StockOrder(zone.tiers())).toArray(StockOrder[]::new);
    this.sharesOfRest = new Ratio[zones.size()];
    Ratio rest = Ratio.ONE;
    for (int i = 0; i < sharesOfRest.length; i++) {
      Ratio share = zones.get(i).share();
      sharesOfRest[i] = rest.equals(Ratio.ZERO) ? Ratio.ZERO : share.of(rest);
      rest = rest.minus(share);
    }
  }

  /**
   * Whether {@link FileView#dataSetBlockIndex} has to count over the files of the directory that
   * carries the policy, instead of over one file.
   */
  @Override
  public boolean countsOverDirectory() {
    return overDirectory;
  }

  @Override
  protected boolean indexTellsWishes() {
    return !overDirectory;
  }

  @Override
  public Optional<ZoneShares> zoneShares() {
    return Optional.of(this);
  }

  @Override
  public int zoneCount() {
    return zoneTiers.length;
  }

  @Override
  public int zoneOfTier(int tier) {
    for (int zone = 0; tier >= 0 && zone < zoneTiers.length; zone++) {
      if ((zoneTiers[zone] & Wish.bit(tier)) != 0) {
        return zone;
      }
    }
    return -1;
  }

  @Override
  public Ratio firstShare() {
    return sharesOfRest[0];
  }

  @Override
  public String zoneName(int zone, TierTable tiers) {
    return PolicyText.tierSetName(zoneTiers[zone], tiers);
  }

  @Override
  public ZoneRatioPlacement withFirstShare(Ratio share, TierTable tiers) {
    if (zoneTiers.length != 2) {
      throw new IllegalStateException(name() + " has " + zoneTiers.length + " zones");
    }
    return of(
        List.of(new Zone(zoneTiers[0], share), new Zone(zoneTiers[1], Ratio.ONE.minus(share))),
        overDirectory,
        tiers);
  }

  /**
   * The policy of these zones, under its canonical name.
   *
   * @param zones disjoint, their shares add up to one
   */
  static ZoneRatioPlacement of(List<Zone> zones, boolean overDirectory, TierTable tiers) {
    String text =
        zones.stream()
            .map(zone -> PolicyText.tierSetName(zone.tiers(), tiers) + "=" + zone.share())
            .collect(Collectors.joining(","));
    String name = PolicyText.ZONE_RATIO + ":" + text + (overDirectory ? ",scope=directory" : "");
    return new ZoneRatioPlacement(name, zones, overDirectory);
  }

  /** The zone, in the order of the specification, that takes the block at {@code index}. */
  public int zoneOfBlock(long index) {
    long indexInRest = index;
    int zone = 0;
    while (zone < sharesOfRest.length - 1) {
      Ratio share = sharesOfRest[zone];
      long before = share.ceilingOf(indexInRest);
      if (share.ceilingOf(indexInRest + 1) > before) {
        return zone;
      }
      indexInRest -= before;
      zone++;
    }
    return zone;
  }

  @Override
  protected Spread spread(Wish wish, SlotFiller filler, ClusterView view) {
    return filler.stockSpread();
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    int zone = zoneOfReplicas(request.existingVolumes(), view);
    if (zone < 0) {
      zone = onlyZone(request.sourceVolumes(), view);
    }
    return orders[zone >= 0 ? zone : zoneOfBlock(request.file().dataSetBlockIndex())].wishes(total);
  }

  /** The zone that all the volumes are in; -1 when there is none. */
  private int onlyZone(int[] volumes, ClusterView view) {
    int zone = zoneOfReplicas(volumes, view);
    for (int volume : volumes) {
      int tier = volume == ClusterView.NONE ? -1 : view.tierOfVolume(volume);
      if (zone < 0 || zoneOfTier(tier) != zone) {
        return -1;
      }
    }
    return zone;
  }

  /** The zone that most replicas are in, of equals the first; -1 when none is in a zone. */
  private int zoneOfReplicas(int[] volumes, ClusterView view) {
    int[] counts = new int[zoneTiers.length];
    for (int volume : volumes) {
      int zone = zoneOfTier(volume == ClusterView.NONE ? -1 : view.tierOfVolume(volume));
      if (zone >= 0) {
        counts[zone]++;
      }
    }
    int best = -1;
    for (int zone = 0; zone < counts.length; zone++) {
      if (counts[zone] > (best < 0 ? 0 : counts[best])) {
        best = zone;
      }
    }
    return best;
  }
}
