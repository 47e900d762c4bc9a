package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A layout that a user composed, for example "2 x nvme on different racks + 1 x disk".
 *
 * <p>Own. Slots are filled from left to right; new replicas beyond the last slot repeat it
 * anywhere, and stored ones beyond the slots are right wherever they are. The rack limit holds for
 * every layout: replicas "on the same rack" share it only as far as HDFS allows.
 */
final class LayoutPlacement extends SlotPlacement {
  private final Wish[] slots;
  private final String[] regionNames;
  private final boolean namesRegions;

  /**
   * @param text what the layout says; regions are looked up in the view at each decision, because
   *     region ids change when racks come and go
   */
  LayoutPlacement(String name, LayoutText text) {
    super(name, true);
    List<LayoutText.Part> parts = text.partPerReplica();
    this.slots = parts.stream().map(LayoutPlacement::wish).toArray(Wish[]::new);
    this.regionNames = parts.stream().map(LayoutText.Part::regionName).toArray(String[]::new);
    this.namesRegions = parts.stream().anyMatch(part -> !part.regionName().isEmpty());
  }

  private static Wish wish(LayoutText.Part part) {
    Wish wish = Wish.of(part.slot());
    return part.duty() == LayoutText.Duty.ASYNC ? wish.inBackground() : wish;
  }

  /**
   * Reads a layout.
   *
   * @throws IllegalArgumentException naming the bad part and what is allowed
   */
  static LayoutPlacement of(String layout, TierTable tiers) {
    LayoutText text = LayoutText.parse(layout, tiers);
    return new LayoutPlacement(PolicyText.LAYOUT + ":" + text.format(tiers), text);
  }

  /** A region shows as any region: which it is depends on the cluster. */
  @Override
  public Optional<Layout> layout() {
    return Optional.of(new Layout(Arrays.stream(slots).map(Wish::slot).toList()));
  }

  @Override
  public boolean writesAsync() {
    return Arrays.stream(slots).anyMatch(Wish::async);
  }

  @Override
  int namedReplicas() {
    return slots.length;
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    Wish[] wishes = new Wish[total];
    int slotBefore = -1;
    Wish wish = null;
    for (int i = 0; i < total; i++) {
      int slot = Math.min(i, slots.length - 1);
      if (slotBefore < 0 || !isSame(slot, slotBefore)) {
        wish = namesRegions ? inNamedRegion(slot, view) : slots[slot];
      }
      slotBefore = slot;
      wishes[i] = i < slots.length ? wish : wish.withSpread(Spread.ANYWHERE);
    }
    return wishes;
  }

  /** Slots of one part of the text follow each other: their region is looked up once. */
  private boolean isSame(int slot, int other) {
    return slots[slot].equals(slots[other]) && regionNames[slot].equals(regionNames[other]);
  }

  private Wish inNamedRegion(int slot, ClusterView view) {
    Wish wish = slots[slot];
    if (regionNames[slot].isEmpty()) {
      return wish;
    }
    int region = region(regionNames[slot], view);
    Slot there = new Slot(wish.slot().tier(), region, wish.slot().spread());
    return new Wish(wish.tiers(), there, wish.async());
  }

  /**
   * The region of that name, else of that number. What is neither becomes a region without racks:
   * the engine gives the region up and says so.
   */
  private static int region(String text, ClusterView view) {
    for (int region = 0; region < view.regionCount(); region++) {
      if (view.regionName(region).equals(text)) {
        return region;
      }
    }
    int number = LayoutText.regionNumber(text);
    return number == Slot.ANY ? view.regionCount() : number;
  }
}
