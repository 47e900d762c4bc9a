package io.tierwise.simulator.scenario.yaml;

import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.count;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.key;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.section;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.share;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.window;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.ZoneShares;
import io.tierwise.policies.placement.ZoneTotals;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.ShareSpec;
import io.tierwise.simulator.scenario.yaml.ValueKind.Decimal;
import java.util.List;

/** Says and reads the section {@code share}. */
final class ShareReader {
  /** They hear of jobs, too, and change where replicas are. */
  private static final List<String> NOT_BESIDE = List.of("popularity", "fast-tier");

  private ShareReader() {}

  static void addKeys() {
    section(
        ScenarioKeys.SHARE,
        "The share of `zone-ratio` is chosen anew at the end of each window, by what was read and"
            + " written of the files under `policies.placement`, which has two zones and"
            + " `scope=directory`. Holds for blocks that are written from then on. Not beside "
            + String.join(", ", NOT_BESIDE)
            + ".",
        key("window", window(), "1 h", "from one choice to the next"),
        key("hold", count(0, 1_000), "3", "windows for which a share is kept"),
        key(
            "gain",
            new Decimal(0, 0.99, true),
            "5%",
            "of the time, that another share has to save"),
        key("keep-free", share(), "5%", "of each volume, that a zone has no room for"));
  }

  static ShareSpec read(Fields scenario, TierTable tiers, PolicySpec policies) {
    Fields fields = scenario.nested("share", ScenarioKeys.SHARE);
    for (String other : NOT_BESIDE) {
      if (scenario.has(other)) {
        throw scenario.at("share").error("cannot stand beside " + other + ": remove one");
      }
    }
    ShareSpec spec =
        new ShareSpec(
            fields.measure("window"),
            fields.intCount("hold"),
            fields.number("gain"),
            fields.number("keep-free"));
    PlacementPolicy placement = PlacementPolicies.parse(policies.placement(), tiers);
    ZoneShares zones =
        placement
            .zoneShares()
            .orElseThrow(
                () ->
                    scenario
                        .at("share")
                        .error(
                            "needs a share to choose: policies.placement is " + placement.name()));
    try {
      ZoneTotals.requireShare(zones);
    } catch (IllegalArgumentException e) {
      throw scenario.at("share").error(e.getMessage());
    }
    return spec;
  }
}
