package io.tierwise.core.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The tiers of a cluster, fastest first, as the administrator ordered them.
 *
 * <p>The order is the administrator's and not derived from figures: a policy that says "fast" means
 * index 0, "slow" means the last.
 */
public final class TierTable {
  /** Stands for "no tier": a volume that no tier matches, or a slot that takes any. */
  public static final int NONE = -1;

  /** The most tiers a table may have: policies keep sets of tiers in one {@code long}. */
  public static final int COUNT_MAX = 63;

  private final List<Tier> tiers;

  /** Indexes of the tiers that count where none is named, fastest first. */
  private final int[] counted;

  private TierTable(List<Tier> tiers, long counted) {
    this.tiers = List.copyOf(tiers);
    this.counted = tiers.stream().mapToInt(Tier::index).filter(i -> has(counted, i)).toArray();
  }

  private static boolean has(long set, int tier) {
    return (set >>> tier & 1) != 0;
  }

  /**
   * Makes a table in which each tier falls back to the slower ones, nearest first, then to the
   * faster ones, nearest first. Own: the papers name no order; slower first keeps the scarce fast
   * tiers for those who asked for them.
   *
   * @throws IllegalArgumentException when a name stands twice or the list is empty
   */
  public static TierTable of(List<DeviceClass> classesFastestFirst) {
    List<Tier> tiers = new ArrayList<>();
    for (int i = 0; i < classesFastestFirst.size(); i++) {
      DeviceClass deviceClass = classesFastestFirst.get(i);
      tiers.add(
          new Tier(
              i, deviceClass.name(), deviceClass, slowerThenFaster(i, classesFastestFirst.size())));
    }
    return ofTiers(tiers);
  }

  /**
   * Makes a table of complete tiers.
   *
   * @throws IllegalArgumentException when a name stands twice, an index is not the position, a
   *     fallback names no tier, or the list is empty or longer than {@link #COUNT_MAX}
   */
  public static TierTable ofTiers(List<Tier> tiers) {
    if (tiers.isEmpty()) {
      throw new IllegalArgumentException("the tier table is empty: name at least one tier");
    }
    if (tiers.size() > COUNT_MAX) {
      throw new IllegalArgumentException(
          "the tier table has " + tiers.size() + " tiers, at most " + COUNT_MAX + " are allowed");
    }
    for (int i = 0; i < tiers.size(); i++) {
      Tier tier = tiers.get(i);
      if (tier.index() != i) {
        throw new IllegalArgumentException(
            "tier " + tier.name() + " has index " + tier.index() + " but stands at " + i);
      }
      for (int j = 0; j < i; j++) {
        if (tiers.get(j).name().equals(tier.name())) {
          throw new IllegalArgumentException("two tiers are named " + tier.name());
        }
      }
      for (int other : tier.fallback()) {
        if (other < 0 || other >= tiers.size() || other == i) {
          throw new IllegalArgumentException(
              "tier " + tier.name() + ": fallback index " + other + " is no other tier");
        }
      }
    }
    return new TierTable(tiers, -1);
  }

  /**
   * The same tiers, of which policies that name none count these alone.
   *
   * @param set bit t for tier t; none of the table's tiers means all of them
   */
  public TierTable counting(long set) {
    boolean any = tiers.stream().anyMatch(tier -> has(set, tier.index()));
    return new TierTable(tiers, any ? set : -1);
  }

  /**
   * How many tiers a policy counts that names none: all, unless a host knows that nobody named the
   * tiers and some have no volume.
   */
  public int countedCount() {
    return counted.length;
  }

  /** The index of a tier that counts, by its place among them, fastest first. */
  public int counted(int place) {
    return counted[place];
  }

  /** The tiers that count: bit t for tier t. */
  public long countedSet() {
    long set = 0;
    for (int tier : counted) {
      set |= 1L << tier;
    }
    return set;
  }

  /** The default fallback order of tier {@code index} among {@code count} tiers. */
  public static List<Integer> slowerThenFaster(int index, int count) {
    List<Integer> order = new ArrayList<>();
    for (int slower = index + 1; slower < count; slower++) {
      order.add(slower);
    }
    for (int faster = index - 1; faster >= 0; faster--) {
      order.add(faster);
    }
    return order;
  }

  public int count() {
    return tiers.size();
  }

  public Tier tier(int index) {
    return tiers.get(index);
  }

  public List<Tier> tiers() {
    return tiers;
  }

  public Optional<Tier> find(String name) {
    Objects.requireNonNull(name, "name");
    return tiers.stream().filter(tier -> tier.name().equals(name)).findFirst();
  }

  /**
   * The tier of that name.
   *
   * @throws IllegalArgumentException naming the unknown tier and the known ones
   */
  public Tier require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown tier \"" + name + "\"; the tier table has: " + names()));
  }

  /** Tier names, fastest first, separated by a comma and a space. */
  public String names() {
    return tiers.stream().map(Tier::name).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return "TierTable[" + names() + "]";
  }
}
