package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.policies.placement.LayoutText.Duty;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes the layout that is wanted after one of hatS's or φSched's verbs from the one before.
 *
 * <p>Source: DerbyhatS, Table 4.1 ({@code createFileTier}, {@code deleteFileTier}, {@code
 * moveTier}), Table 7.1 ({@code createFileRegion}, {@code deleteFileRegion}, {@code moveRegion},
 * {@code setRepRegion}). Own: replicas that come are first in the layout, so that files with fewer
 * replicas than it names have them too; surplus replicas are last.
 *
 * <p>Lazy deletion (DerbyhatS, 5.2.5): {@link #surplusIn} marks replicas instead of dropping them.
 * A verb that wants replicas where marked ones are has those first, which costs nothing. The other
 * verbs are about replicas that have to stay, and leave marked ones as they are.
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
    return new LayoutText.Part(1, Slot.inTier(tier, Spread.ANYWHERE), "", Duty.FIRM);
  }

  private static Predicate<LayoutText.Part> in(int tier) {
    return part -> part.slot().tier() == tier;
  }

  /** With at least {@code count} replicas in the tier. */
  public LayoutChange with(int tier, int count) {
    return with(in(tier), count, inTier(tier));
  }

  private LayoutChange with(Predicate<LayoutText.Part> there, int count, LayoutText.Part one) {
    LayoutChange revived = reviving(there, count);
    int missing = Math.max(0, count - revived.firm(there));
    List<LayoutText.Part> all = new ArrayList<>(Collections.nCopies(missing, one));
    all.addAll(revived.replicas);
    return new LayoutChange(tiers, all);
  }

  /** Surplus replicas there have to stay again, until there are {@code count} that do. */
  private LayoutChange reviving(Predicate<LayoutText.Part> there, int count) {
    int missing = count - firm(there);
    List<LayoutText.Part> all = new ArrayList<>();
    for (LayoutText.Part part : replicas) {
      boolean revives = part.isSurplus() && there.test(part) && missing > 0;
      missing -= revives ? 1 : 0;
      all.add(revives ? part.as(Duty.FIRM) : part);
    }
    return new LayoutChange(tiers, surplusLast(all));
  }

  private static List<LayoutText.Part> surplusLast(List<LayoutText.Part> parts) {
    return parts.stream().sorted(Comparator.comparing(LayoutText.Part::isSurplus)).toList();
  }

  private int firm(Predicate<LayoutText.Part> there) {
    return (int) replicas.stream().filter(part -> !part.isSurplus() && there.test(part)).count();
  }

  /** With those in the tier as surplus: they stay until room is needed. */
  public LayoutChange surplusIn(int tier) {
    return surplusIn(in(tier));
  }

  private LayoutChange surplusIn(Predicate<LayoutText.Part> there) {
    return new LayoutChange(
        tiers,
        surplusLast(
            replicas.stream()
                .map(part -> there.test(part) ? part.as(Duty.SURPLUS) : part)
                .toList()));
  }

  /**
   * The number of replicas that a file keeps when it drops the surplus ones in a tier. Replicas go
   * from the layout's end, so those that stand after one of the tier go with it.
   *
   * @param replicas that the file has now
   */
  public int keptWithoutSurplusIn(int tier, int replicas) {
    for (int i = 0; i < Math.min(replicas, this.replicas.size()); i++) {
      LayoutText.Part part = this.replicas.get(i);
      if (part.isSurplus() && part.slot().tier() == tier) {
        return i;
      }
    }
    return replicas;
  }

  /** Without any replica in the tier, surplus ones included; the rest may be nothing. */
  public LayoutChange without(int tier) {
    return new LayoutChange(tiers, replicas.stream().filter(in(tier).negate()).toList());
  }

  /** With the first {@code count} replicas of a tier in another one, at their old places in it. */
  public LayoutChange moved(int from, int to, int count) {
    List<LayoutText.Part> all = new ArrayList<>();
    int left = count;
    for (LayoutText.Part part : replicas) {
      boolean moves = left > 0 && !part.isSurplus() && part.slot().tier() == from;
      left -= moves ? 1 : 0;
      Slot slot = part.slot();
      all.add(part.at(moves ? new Slot(to, slot.region(), slot.spread()) : slot));
    }
    return new LayoutChange(tiers, all);
  }

  /**
   * With at least {@code count} replicas in the tier, those first that are farthest from it put
   * there; a replica that may be in any tier counts as far. Never more replicas than before. Where
   * the tier has a surplus one, that one has to stay instead of the farthest, which is surplus
   * then.
   *
   * <p>Source: DerbyhatS, 6.1.8 ({@code moveToSSDTier}, {@code moveToHDDTier}). Own: which replicas
   * go, and that those that are there already count.
   */
  public LayoutChange gatheredIn(int tier, int count) {
    List<LayoutText.Part> all = new ArrayList<>(replicas);
    int missing = Math.min(count, firmCount()) - count(tier);
    for (int i = 0; i < missing; i++) {
      int farthest = farthestFirm(all, tier);
      LayoutText.Part part = all.get(farthest);
      int surplus = firstSurplus(all, tier);
      if (surplus < 0) {
        Slot slot = part.slot();
        all.set(farthest, part.at(new Slot(tier, slot.region(), slot.spread())));
      } else {
        all.set(farthest, part.as(Duty.SURPLUS));
        all.set(surplus, all.get(surplus).as(part.duty()));
      }
    }
    return new LayoutChange(tiers, surplusLast(all));
  }

  private int farthestFirm(List<LayoutText.Part> parts, int tier) {
    int farthest = -1;
    for (int at = 0; at < parts.size(); at++) {
      int distance = parts.get(at).isSurplus() ? 0 : distance(parts.get(at), tier);
      if (distance > 0 && (farthest < 0 || distance > distance(parts.get(farthest), tier))) {
        farthest = at;
      }
    }
    return farthest;
  }

  private static int firstSurplus(List<LayoutText.Part> parts, int tier) {
    for (int at = 0; at < parts.size(); at++) {
      if (parts.get(at).isSurplus() && in(tier).test(parts.get(at))) {
        return at;
      }
    }
    return -1;
  }

  private int distance(LayoutText.Part part, int tier) {
    int own = part.slot().tier();
    return own == Slot.ANY ? tiers.count() : Math.abs(own - tier);
  }

  /** With at least {@code count} replicas in the region, in any tier those that come. */
  public LayoutChange with(Region region, int count) {
    Slot anywhere = Slot.inTier(Slot.ANY, Spread.ANYWHERE);
    return with(region::has, count, new LayoutText.Part(1, anywhere, region.name(), Duty.FIRM));
  }

  /** With those in the region as surplus: they stay until room is needed. */
  public LayoutChange surplusIn(Region region) {
    return surplusIn(region::has);
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
      boolean moves = left > 0 && !part.isSurplus() && from.has(part);
      left -= moves ? 1 : 0;
      Slot slot = part.slot();
      Slot there = new Slot(slot.tier(), Slot.ANY, slot.spread());
      all.add(moves ? new LayoutText.Part(1, there, to.name(), part.duty()) : part);
    }
    return new LayoutChange(tiers, all);
  }

  /** The number of replicas that the layout names in the region, without surplus ones. */
  public int count(Region region) {
    return firm(region::has);
  }

  /** The number of replicas that the layout names in the region, with surplus ones. */
  public int countAll(Region region) {
    return (int) replicas.stream().filter(region::has).count();
  }

  /**
   * A region of a cluster.
   *
   * @param all names of the cluster's regions, in the order of their numbers: a layout may give the
   *     number where no region has it for a name
   */
  public record Region(String name, List<String> all) {
    public Region {
      all = List.copyOf(all);
      if (!all.contains(name)) {
        throw new IllegalArgumentException("no region " + name + " among " + all);
      }
    }

    private boolean has(LayoutText.Part part) {
      String text = part.regionName();
      return text.equals(name)
          || (!all.contains(text) && LayoutText.regionNumber(text) == all.indexOf(name));
    }
  }

  /** The number of replicas that the layout names in the tier, without surplus ones. */
  public int count(int tier) {
    return firm(in(tier));
  }

  /** The number of replicas that the layout names in the tier, with surplus ones. */
  public int countAll(int tier) {
    return (int) replicas.stream().filter(in(tier)).count();
  }

  /** Whether a replica that has to stay is bound to a region, a rack or the writer's node. */
  public boolean isBoundToPlaces() {
    return replicas.stream()
        .filter(part -> !part.isSurplus())
        .anyMatch(part -> part.slot().spread() != Spread.ANYWHERE || !part.regionName().isEmpty());
  }

  /** The number of replicas that the layout names, with surplus ones. */
  public int replicaCount() {
    return replicas.size();
  }

  /** The number of them that have to stay: they are the first of the layout. */
  public int firmCount() {
    return firm(part -> true);
  }

  /**
   * The layout as a placement policy.
   *
   * @throws IllegalArgumentException when it has no replica or too many
   */
  public PlacementPolicy placement() {
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("a layout needs at least one replica");
    }
    // Once through the text: there equal replicas beside each other become one part.
    List<LayoutText.Part> ones = replicas.stream().map(part -> part.times(1)).toList();
    return LayoutPlacement.of(new LayoutText(ones).format(tiers), tiers);
  }
}
