package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Makes the layout that is wanted after one of hatS's or φSched's verbs from the one before.
 *
 * <p>Source: DerbyhatS, Table 4.1 ({@code createFileTier}, {@code deleteFileTier}, {@code
 * moveTier}), Table 7.1 ({@code createFileRegion}, {@code deleteFileRegion}, {@code moveRegion},
 * {@code setRepRegion}). Own: replicas that come are first in the layout, so that files with fewer
 * replicas than it names have them too.
 */
public final class LayoutChange {
  private final TierTable tiers;
  private final List<LayoutText.Part> replicas;

  private LayoutChange(TierTable tiers, List<LayoutText.Part> replicas) {
    this.tiers = tiers;
    this.replicas = List.copyOf(replicas);
  }

  /**
   * Begins with a layout's text, without {@code layout:}.
   *
   * @throws IllegalArgumentException naming the bad part and what is allowed
   */
  public static LayoutChange of(String layout, TierTable tiers) {
    return new LayoutChange(tiers, LayoutText.parse(layout, tiers).partPerReplica());
  }

  /** Begins with so many replicas anywhere, as stock HDFS has them. */
  public static LayoutChange anywhere(int count, TierTable tiers) {
    return new LayoutChange(tiers, Collections.nCopies(count, inTier(Slot.ANY)));
  }

  private static LayoutText.Part inTier(int tier) {
    return new LayoutText.Part(1, Slot.inTier(tier, Spread.ANYWHERE), "", false);
  }

  /** With at least {@code count} replicas in the tier. */
  public LayoutChange with(int tier, int count) {
    int missing = Math.max(0, count - count(tier));
    List<LayoutText.Part> all = new ArrayList<>(Collections.nCopies(missing, inTier(tier)));
    all.addAll(replicas);
    return new LayoutChange(tiers, all);
  }

  /** Without any replica in the tier; the rest may be nothing. */
  public LayoutChange without(int tier) {
    return new LayoutChange(
        tiers, replicas.stream().filter(part -> part.slot().tier() != tier).toList());
  }

  /** With the first {@code count} replicas of a tier in another one, at their old places in it. */
  public LayoutChange moved(int from, int to, int count) {
    List<LayoutText.Part> all = new ArrayList<>();
    int left = count;
    for (LayoutText.Part part : replicas) {
      boolean moves = left > 0 && part.slot().tier() == from;
      left -= moves ? 1 : 0;
      Slot slot = part.slot();
      all.add(part.at(moves ? new Slot(to, slot.region(), slot.spread()) : slot));
    }
    return new LayoutChange(tiers, all);
  }

  /**
   * With at least {@code count} replicas in the tier, those first that are farthest from it put
   * there; a replica that may be in any tier counts as far. Never more replicas than before.
   *
   * <p>Source: DerbyhatS, 6.1.8 ({@code moveToSSDTier}, {@code moveToHDDTier}). Own: which replicas
   * go, and that those that are there already count.
   */
  public LayoutChange gatheredIn(int tier, int count) {
    List<LayoutText.Part> all = new ArrayList<>(replicas);
    int missing = Math.min(count, replicas.size()) - count(tier);
    for (int i = 0; i < missing; i++) {
      int farthest = -1;
      for (int at = 0; at < all.size(); at++) {
        int distance = distance(all.get(at), tier);
        if (distance > 0 && (farthest < 0 || distance > distance(all.get(farthest), tier))) {
          farthest = at;
        }
      }
      LayoutText.Part part = all.get(farthest);
      Slot slot = part.slot();
      all.set(farthest, part.at(new Slot(tier, slot.region(), slot.spread())));
    }
    return new LayoutChange(tiers, all);
  }

  private int distance(LayoutText.Part part, int tier) {
    int own = part.slot().tier();
    return own == Slot.ANY ? tiers.count() : Math.abs(own - tier);
  }

  /** With at least {@code count} replicas in the region, in any tier those that come. */
  public LayoutChange with(Region region, int count) {
    int missing = Math.max(0, count - count(region));
    LayoutText.Part part =
        new LayoutText.Part(1, Slot.inTier(Slot.ANY, Spread.ANYWHERE), region.name(), false);
    List<LayoutText.Part> all = new ArrayList<>(Collections.nCopies(missing, part));
    all.addAll(replicas);
    return new LayoutChange(tiers, all);
  }

  /** Without the last replicas in the region beyond {@code count}; the rest may be nothing. */
  public LayoutChange atMost(Region region, int count) {
    List<LayoutText.Part> all = new ArrayList<>();
    int left = count;
    for (LayoutText.Part part : replicas) {
      if (!region.has(part)) {
        all.add(part);
      } else if (left > 0) {
        all.add(part);
        left--;
      }
    }
    return new LayoutChange(tiers, all);
  }

  /** With the first {@code count} replicas of a region in another one, in their old tiers. */
  public LayoutChange moved(Region from, Region to, int count) {
    List<LayoutText.Part> all = new ArrayList<>();
    int left = count;
    for (LayoutText.Part part : replicas) {
      boolean moves = left > 0 && from.has(part);
      left -= moves ? 1 : 0;
      Slot slot = part.slot();
      Slot there = new Slot(slot.tier(), Slot.ANY, slot.spread());
      all.add(moves ? new LayoutText.Part(1, there, to.name(), part.async()) : part);
    }
    return new LayoutChange(tiers, all);
  }

  /** How many replicas the layout names in the region. */
  public int count(Region region) {
    return (int) replicas.stream().filter(region::has).count();
  }

  /**
   * A region by both of its names.
   *
   * @param index its number in the cluster; a layout may give either
   */
  public record Region(String name, int index) {
    private boolean has(LayoutText.Part part) {
      return part.regionName().isEmpty()
          ? part.slot().region() == index
          : part.regionName().equals(name);
    }
  }

  /** How many replicas the layout names in the tier. */
  public int count(int tier) {
    return (int) replicas.stream().filter(part -> part.slot().tier() == tier).count();
  }

  /** How many replicas the layout names. */
  public int replicaCount() {
    return replicas.size();
  }

  /**
   * The layout as a placement policy.
   *
   * @throws IllegalArgumentException when it has no replica or too many
   */
  public LayoutPlacement placement() {
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("a layout needs at least one replica");
    }
    // Once through the text: there equal replicas beside each other become one part.
    List<LayoutText.Part> ones = replicas.stream().map(part -> part.times(1)).toList();
    return LayoutPlacement.of(new LayoutText(ones).format(tiers), tiers);
  }
}
