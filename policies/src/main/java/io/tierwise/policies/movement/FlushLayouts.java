package io.tierwise.policies.movement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.placement.LayoutChange;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The layouts of files that leave a tier for a slower one: their replicas in the tier are in the
 * slower one instead, and they keep as many as they had. The verb is hatS's {@code moveTier}.
 * Replicas that their layout marks as surplus are dropped instead.
 *
 * <p>Source: DerbyhatS, 4.1.4. Own: only files whose policy is a layout leave; of others nobody
 * could say what they should become.
 */
public final class FlushLayouts {
  private static final String LAYOUT = "layout:";

  private final TierTable tiers;
  private final UnaryOperator<String> named;
  private final int from;
  private final OptionalInt to;

  /**
   * @param named gives the text of a layout that has a name, and any other text as it is
   * @param to the slower tier; without one only surplus replicas may leave
   */
  public FlushLayouts(TierTable tiers, UnaryOperator<String> named, int from, OptionalInt to) {
    this.tiers = tiers;
    this.named = named;
    this.from = from;
    this.to = to;
  }

  /**
   * The next slower tier that has room, if there is one.
   *
   * @param freeBytes that moves may fill, of a tier; a tier in use always has a few more
   */
  public static OptionalInt slowerTier(TierTable tiers, int from, IntToLongFunction freeBytes) {
    for (int tier = from + 1; tier < tiers.count(); tier++) {
      if (freeBytes.applyAsLong(tier) > 0) {
        return OptionalInt.of(tier);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * The number of replicas that a file keeps when the surplus ones of its layout in the tier are
   * dropped; all of them when there are none.
   *
   * @param specification of its policy
   */
  public int keptWithoutSurplus(Optional<String> specification, int replicas) {
    return layout(specification)
        .map(layout -> layout.keptWithoutSurplusIn(from, replicas))
        .orElse(replicas);
  }

  /**
   * Why a file with replicas in the tier that are not surplus is passed over; empty when it may
   * leave.
   *
   * @param specification of its policy
   */
  public Optional<String> hindrance(Optional<String> specification) {
    Optional<LayoutChange> layout = layout(specification);
    if (layout.isEmpty()) {
      return Optional.of("its policy is no layout ('tierwise file layout' gives it one)");
    }
    if (layout.get().count(from) == 0) {
      return Optional.of("its layout wants it elsewhere ('tierwise file move --to policy')");
    }
    return to.isEmpty() ? Optional.of("no slower tier has room") : Optional.empty();
  }

  private Optional<LayoutChange> layout(Optional<String> specification) {
    return specification
        .map(String::strip)
        .filter(text -> text.startsWith(LAYOUT))
        .map(this::change);
  }

  /** The specification of a file that leaves, from the one that it is under. */
  public String after(String specification) {
    LayoutChange layout = change(specification);
    return layout.moved(from, to.orElseThrow(), layout.count(from)).placement().name();
  }

  private LayoutChange change(String specification) {
    String layout = specification.strip().substring(LAYOUT.length()).strip();
    return LayoutChange.of(named.apply(layout), tiers);
  }
}
