package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.text.SpecReader;
import java.util.StringJoiner;

/** Words that policies' specifications are made of, and how bad ones are shown. */
final class PolicyText {
  static final String NETWORK_AWARE = "network-aware";
  static final String TIER_AWARE = "tier-aware";
  static final String HYBRID = "hybrid";
  static final String RANDOM = "random";
  static final String REGION_AWARE = "region-aware";
  static final String ZONE_RATIO = "zone-ratio";
  static final String LAYOUT = "layout";
  static final String STOCK = "stock";
  static final String RACK_SAFE = "rack-safe";
  static final String ASYNC = "async";

  private PolicyText() {}

  static String withRackSafe(String name, boolean rackSafe) {
    return rackSafe ? name : name + ":" + RACK_SAFE + "=false";
  }

  /** The index of the tier of that name. */
  static int tier(String name, TierTable tiers) {
    return tiers
        .find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown tier "
                        + SpecReader.quoted(name)
                        + "; the tier table has: "
                        + tiers.names()))
        .index();
  }

  /** Reads {@code a+b} as a set of tiers. */
  static long tierSet(String text, TierTable tiers) {
    long set = 0;
    for (String name : text.split("\\+", -1)) {
      long bit = Wish.bit(tier(name.strip(), tiers));
      if ((set & bit) != 0) {
        throw new IllegalArgumentException(
            "tier "
                + SpecReader.quoted(name.strip())
                + " stands twice in "
                + SpecReader.quoted(text));
      }
      set |= bit;
    }
    return set;
  }

  /** The inverse of {@link #tierSet}: names joined by +, fastest first. */
  static String tierSetName(long set, TierTable tiers) {
    StringJoiner names = new StringJoiner("+");
    for (long left = set; left != 0; left &= left - 1) {
      names.add(tiers.tier(Long.numberOfTrailingZeros(left)).name());
    }
    return names.toString();
  }
}
