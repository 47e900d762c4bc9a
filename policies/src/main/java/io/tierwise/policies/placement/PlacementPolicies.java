package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Ratio;
import io.tierwise.policies.placement.PlacementProvider.Context;
import io.tierwise.policies.placement.ZoneRatioPlacement.Zone;
import io.tierwise.policies.text.PolicyProvider;
import io.tierwise.policies.text.PolicyRegistry;
import io.tierwise.policies.text.SpecReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * All placement policies, and the reader of their specifications: the one-line texts that stand in
 * extended attributes, in the configuration and on the command line.
 *
 * <p>A specification is a policy's name, optionally followed by a colon and its settings. Tier
 * names are resolved when it is read, so a policy belongs to the tier table it was read with.
 */
public final class PlacementPolicies {
  /**
   * Longer texts are refused unread: a NameNode keeps longer attributes where it takes a lock to
   * find that there is one.
   */
  public static final int TEXT_LENGTH_MAX = 1024;

  private static final PolicyRegistry<PlacementPolicy, Context> REGISTRY =
      PolicyRegistry.of(
          "placement policy",
          TEXT_LENGTH_MAX,
          PlacementPolicy::name,
          PlacementProvider.class,
          List.of(
              new Own(
                  PolicyText.NETWORK_AWARE,
                  "network-aware[:tiers=TIER+TIER]",
                  "HDFS's rack order over all stores, or those of some tiers; knows no speeds",
                  (settings, context) -> networkAware(settings, context.tiers())),
              new Own(
                  PolicyText.TIER_AWARE,
                  "tier-aware[:rack-safe=false]",
                  "a whole copy in the fastest, the slowest and an intermediate tier (hatS)",
                  (settings, context) ->
                      new TierAwarePlacement(rackSafe(PolicyText.TIER_AWARE, settings))),
              new Own(
                  PolicyText.HYBRID,
                  "hybrid[:racks=3]",
                  "distinct tiers in HDFS's two racks, or in three; the first on the writer's node"
                      + " (hatS)",
                  (settings, context) -> new HybridPlacement(racks(settings))),
              new Own(
                  PolicyText.ZONE_RATIO,
                  "zone-ratio:SHARE | zone-ratio:TIER+TIER=SHARE,TIER=SHARE[,scope=directory]",
                  "an exact share of a file's or directory's blocks in each zone (HDFS_H)",
                  (settings, context) -> zoneRatio(settings, context.tiers())),
              new Own(
                  PolicyText.REGION_AWARE,
                  "region-aware[:async]",
                  "one whole copy in each of several regions, which follow from the file's id",
                  (settings, context) -> regionAware(settings)),
              new Own(
                  PolicyText.RANDOM,
                  "random[:rack-safe=false]",
                  "any store with the same chance: a baseline",
                  (settings, context) ->
                      new RandomPlacement(rackSafe(PolicyText.RANDOM, settings))),
              new Own(
                  PolicyText.LAYOUT,
                  "layout:COUNT x TIER|any [on different racks|on the same rack|on the writer's"
                      + " node] [in region NAME] [async|surplus] + ... | layout:NAME",
                  "the replicas as listed, or as a named layout lists them",
                  (settings, context) ->
                      layout(settings, context.tiers(), context.namedLayouts()))));

  private PlacementPolicies() {}

  /** A policy of this package, which reads its settings itself. */
  private record Own(
      String name, String usage, String summary, BiFunction<String, Context, PlacementPolicy> maker)
      implements PlacementProvider {
    @Override
    public PlacementPolicy make(SpecReader settings, Context context) {
      return maker.apply(settings.text(), context);
    }
  }

  /** All policies, this project's first. */
  public static List<PolicyProvider<PlacementPolicy, Context>> all() {
    return REGISTRY.providers();
  }

  /** As {@link PolicyRegistry#problems}. */
  public static List<String> problems() {
    return REGISTRY.problems();
  }

  /** As {@link PolicyRegistry#requireKnown}. */
  public static void requireKnown(String specification) {
    REGISTRY.requireKnown(specification);
  }

  /** The specification of what may be a layout without its name: {@code 1 x ssd + 2 x disk}. */
  public static String ofLayoutOrPolicy(String text) {
    return text.matches("\\s*\\d+\\s+x\\s.*") ? "layout:" + text.strip() : text;
  }

  /**
   * The policy that is a layout, {@code COUNT x TIER + ...}, of any length and without its name.
   */
  public static PlacementPolicy ofLayout(String layout, TierTable tiers) {
    return LayoutPlacement.of(layout, tiers);
  }

  /** As {@link #parse(String, TierTable, Map)} without named layouts. */
  public static PlacementPolicy parse(String specification, TierTable tiers) {
    return parse(specification, tiers, Collections.emptyMap());
  }

  /**
   * Makes the policy that {@code specification} names.
   *
   * @param namedLayouts layout name to layout text
   * @throws IllegalArgumentException one line naming the bad value and what is allowed
   */
  public static PlacementPolicy parse(
      String specification, TierTable tiers, Map<String, String> namedLayouts) {
    if (specification.length() > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "the policy text has "
              + specification.length()
              + " characters, at most "
              + TEXT_LENGTH_MAX
              + " are allowed");
    }
    String text = specification.strip();
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon).strip();
    String settings = colon < 0 ? "" : text.substring(colon + 1).strip();
    if (colon >= 0 && settings.isEmpty()) {
      throw bad(text, "nothing stands after the colon");
    }
    if (name.equals(PolicyText.STOCK)) {
      throw new IllegalArgumentException(
          "\"stock\" is the host's own placement and cannot be made here");
    }
    return REGISTRY.parse(text, new Context(tiers, namedLayouts));
  }

  /**
   * The canonical text of {@link #parse(String, TierTable, Map)}'s policy, which a NameNode can
   * read back.
   *
   * @throws IllegalArgumentException as that one, also when the text cannot be read back
   */
  public static String canonical(
      String specification, TierTable tiers, Map<String, String> namedLayouts) {
    return REGISTRY.canonical(specification, text -> parse(text, tiers, namedLayouts));
  }

  private static PlacementPolicy networkAware(String settings, TierTable tiers) {
    if (settings.isEmpty()) {
      return new NetworkAwarePlacement();
    }
    String value = valueOf("tiers", settings);
    if (value == null) {
      throw unknownSetting(PolicyText.NETWORK_AWARE, settings, "tiers=TIER+TIER");
    }
    long set = PolicyText.tierSet(value, tiers);
    String name = PolicyText.NETWORK_AWARE + ":tiers=" + PolicyText.tierSetName(set, tiers);
    return new NetworkAwarePlacement(name, set);
  }

  private static boolean rackSafe(String policy, String settings) {
    if (settings.isEmpty()) {
      return true;
    }
    String value = valueOf(PolicyText.RACK_SAFE, settings);
    if ("true".equals(value) || "false".equals(value)) {
      return "true".equals(value);
    }
    throw unknownSetting(policy, settings, "rack-safe=true or rack-safe=false");
  }

  private static PlacementPolicy regionAware(String settings) {
    if (settings.isEmpty() || settings.equals(PolicyText.ASYNC)) {
      return new RegionAwarePlacement(!settings.isEmpty());
    }
    throw unknownSetting(PolicyText.REGION_AWARE, settings, PolicyText.ASYNC);
  }

  private static int racks(String settings) {
    String value = settings.isEmpty() ? "2" : valueOf("racks", settings);
    if ("2".equals(value) || "3".equals(value)) {
      return Integer.parseInt(value);
    }
    throw unknownSetting(PolicyText.HYBRID, settings, "racks=2 or racks=3");
  }

  private static PlacementPolicy layout(
      String settings, TierTable tiers, Map<String, String> namedLayouts) {
    if (settings.isEmpty()) {
      throw bad(PolicyText.LAYOUT, "write layout:COUNT x TIER + ..., or layout:NAME");
    }
    if (settings.contains(" ")) {
      return ofLayout(settings, tiers);
    }
    String text = namedLayouts.get(settings);
    if (text == null) {
      String known =
          namedLayouts.isEmpty()
              ? "none is defined"
              : "defined: "
                  + namedLayouts.keySet().stream().sorted().collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "unknown layout " + SpecReader.quoted(settings) + "; " + known);
    }
    return new LayoutPlacement(PolicyText.LAYOUT + ":" + settings, LayoutText.parse(text, tiers));
  }

  private static PlacementPolicy zoneRatio(String settings, TierTable tiers) {
    if (settings.isEmpty()) {
      throw bad(
          PolicyText.ZONE_RATIO, "write zone-ratio:SHARE, or zone-ratio:TIER=SHARE,TIER=SHARE");
    }
    List<Zone> zones = new ArrayList<>();
    String knownScope = null;
    long used = 0;
    for (String setting : settings.split(",", -1)) {
      String scope = valueOf("scope", setting.strip());
      if (scope != null) {
        if (knownScope != null) {
          throw bad(settings, "scope stands twice");
        }
        knownScope = scope;
      } else if (setting.indexOf('=') < 0 && zones.isEmpty()) {
        zones.addAll(fastAndSlow(Ratio.parse(setting), tiers));
        used = -1;
      } else {
        Zone zone = zone(setting, tiers);
        if ((used & zone.tiers()) != 0) {
          throw bad(settings, "a tier belongs to two zones");
        }
        used |= zone.tiers();
        zones.add(zone);
      }
    }
    requireWhole(zones, settings);
    boolean overDirectory = knownScope != null && scopeIsDirectory(knownScope);
    return ZoneRatioPlacement.of(zones, overDirectory, tiers);
  }

  private static List<Zone> fastAndSlow(Ratio fast, TierTable tiers) {
    long all = tiers.countedSet();
    long slow = Wish.bit(FileTiers.slowest(tiers));
    if (all == slow) {
      throw new IllegalArgumentException(
          "zone-ratio:"
              + fast
              + " needs a fast and a slow tier; "
              + (tiers.count() == 1 ? "the tier table has: " : "the only tier with a volume is: ")
              + PolicyText.tierSetName(all, tiers));
    }
    return List.of(new Zone(all ^ slow, fast), new Zone(slow, Ratio.ONE.minus(fast)));
  }

  private static Zone zone(String setting, TierTable tiers) {
    int equals = setting.indexOf('=');
    if (equals < 0) {
      throw bad(setting, "write TIER+TIER=SHARE");
    }
    long set = PolicyText.tierSet(setting.substring(0, equals).strip(), tiers);
    return new Zone(set, Ratio.parse(setting.substring(equals + 1)));
  }

  private static boolean scopeIsDirectory(String scope) {
    return switch (scope) {
      case "directory" -> true;
      case "file" -> false;
      default -> throw bad("scope=" + scope, "write scope=file or scope=directory");
    };
  }

  private static void requireWhole(List<Zone> zones, String settings) {
    Ratio sum = Ratio.ZERO;
    for (Zone zone : zones) {
      if (zone.share().compareTo(Ratio.ONE.minus(sum)) > 0) {
        throw bad(settings, "the shares add up to more than 1");
      }
      sum = sum.plus(zone.share());
    }
    if (!sum.equals(Ratio.ONE)) {
      throw bad(settings, "the shares add up to " + sum + ", they must add up to 1");
    }
  }

  /** The value of {@code key=value}, or null when {@code setting} has another key. */
  private static String valueOf(String key, String setting) {
    int equals = setting.indexOf('=');
    boolean same = equals >= 0 && setting.substring(0, equals).strip().equals(key);
    return same ? setting.substring(equals + 1).strip() : null;
  }

  private static IllegalArgumentException unknownSetting(
      String policy, String settings, String allowed) {
    return new IllegalArgumentException(
        policy + ": " + SpecReader.quoted(settings) + " is no setting; allowed: " + allowed);
  }

  private static IllegalArgumentException bad(String text, String message) {
    return new IllegalArgumentException(SpecReader.quoted(text) + ": " + message);
  }
}
