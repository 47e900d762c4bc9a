package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.Watermarks;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.FlushSpec;
import io.tierwise.simulator.scenario.MonitorSpec;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.UpkeepSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the sections {@code stored}, {@code movement}, {@code monitor} and {@code flush}. */
final class MovementReader {
  private final ClusterSpec cluster;
  private final PolicySpec policies;
  private final PolicyReader policyReader;

  MovementReader(ClusterSpec cluster, PolicySpec policies, PolicyReader policyReader) {
    this.cluster = cluster;
    this.policies = policies;
    this.policyReader = policyReader;
  }

  List<StoredSpec> stored(List<Place> items) {
    List<StoredSpec> stored = new ArrayList<>();
    StoredPaths paths = new StoredPaths();
    double bytes = 0;
    for (Place item : items) {
      Fields fields = Fields.of(item, ScenarioKeys.STORED);
      StoredSpec spec =
          new StoredSpec(
              path(fields.at("path")),
              fields.intCount("files"),
              fields.intCount("parts"),
              fields.bytes("size"),
              fields.has("placement")
                  ? policyReader.placementOrLayout(fields.at("placement"))
                  : policies.placement());
      if (spec.partBytes() == 0) {
        throw fields.at("parts").wrong("are more than the file has bytes");
      }
      if (!paths.add(spec)) {
        throw fields.at("path").wrong("is stored already: name each path once");
      }
      stored.add(spec);
      bytes += (double) spec.fileCount() * spec.fileBytes() * policies.replication();
      double capacity = ScenarioReader.capacityBytes(cluster);
      if (bytes > capacity) {
        throw fields
            .at("size")
            .wrong(
                "is too much: what is stored needs "
                    + ScenarioReader.rounded(bytes)
                    + " with "
                    + policies.replication()
                    + " replicas, the cluster holds "
                    + ScenarioReader.rounded(capacity));
      }
    }
    return stored;
  }

  List<MovementSpec> movements(List<Place> items) {
    List<MovementSpec> movements = new ArrayList<>();
    for (Place item : items) {
      Fields fields = Fields.of(item, ScenarioKeys.MOVEMENT);
      movements.add(
          new MovementSpec(
              fields.measure("at"),
              path(fields.at("path")),
              policyReader.placementOrLayout(fields.at("placement")),
              fields.flag("apply"),
              limits(fields),
              fields.measure("heartbeat")));
    }
    return movements;
  }

  private static MovementLimits limits(Fields fields) {
    long ofNode = Math.round(fields.measure("bandwidth"));
    return new MovementLimits(
        ofNode,
        Math.round(
            fields.measure(fields.has("bandwidth-volume") ? "bandwidth-volume" : "bandwidth")),
        Math.round(fields.measure("bandwidth-total")),
        fields.intCount("moves-per-node"),
        fields.has("moves-per-second")
            ? fields.intCount("moves-per-second")
            : MovementLimits.usualMovesPerSecond(ofNode),
        keepFree(fields),
        fields.intCount("yield-above"),
        // No node of the simulator tells of shuffles.
        MovementLimits.YIELD_ABOVE_SHUFFLE);
  }

  UpkeepSpec upkeep(Fields scenario, TierTable tiers, WorkloadSpec workload) {
    Optional<MonitorSpec> monitor =
        scenario.has("monitor")
            ? Optional.of(monitor(scenario.nested("monitor", ScenarioKeys.MONITOR)))
            : Optional.empty();
    return new UpkeepSpec(
        monitor,
        scenario.items("flush").stream().map(item -> flush(item, tiers)).toList(),
        scenario.has("popularity")
            ? Optional.of(
                PopularityReader.read(
                    scenario.nested("popularity", ScenarioKeys.POPULARITY),
                    tiers,
                    workload instanceof WorkloadSpec.Trace))
            : Optional.empty(),
        scenario.has("fast-tier")
            ? Optional.of(FastTierReader.read(scenario, tiers))
            : Optional.empty(),
        scenario.has("share")
            ? Optional.of(ShareReader.read(scenario, tiers, policies))
            : Optional.empty());
  }

  private static MonitorSpec monitor(Fields fields) {
    return new MonitorSpec(
        positive(fields, "interval"),
        fields.intCount("queue"),
        fields.measure("until"),
        limits(fields),
        fields.measure("heartbeat"));
  }

  private static FlushSpec flush(Place item, TierTable tiers) {
    Fields fields = Fields.of(item, ScenarioKeys.FLUSH);
    String tier = fields.name("tier");
    List<String> names = tiers.tiers().stream().map(Tier::name).toList();
    if (!names.contains(tier)) {
      throw fields.at("tier").wrong("is no tier: " + String.join(", ", names) + " are");
    }
    if (names.indexOf(tier) == names.size() - 1) {
      throw fields.at("tier").wrong("is the slowest tier: its data could go nowhere");
    }
    double high = fields.number("high");
    double low = fields.number("low");
    if (low > high) {
      throw fields.at("low").wrong("is above high: give at most as much");
    }
    return new FlushSpec(
        tier,
        path(fields.at("path")),
        new Watermarks(high, low),
        fields.choice("order"),
        positive(fields, "every"),
        limits(fields),
        fields.measure("heartbeat"));
  }

  private static double positive(Fields fields, String key) {
    double seconds = fields.measure(key);
    if (seconds < 1) {
      throw fields.at(key).wrong("is too often: give 1 s or more");
    }
    return seconds;
  }

  private static double keepFree(Fields fields) {
    double share = fields.number("keep-free");
    if (share >= 1) {
      throw fields.at("keep-free").wrong("leaves no room for anything: give less than 100%");
    }
    return share;
  }

  /** An absolute path. */
  static String path(Place place) {
    String text = place.text();
    if (!text.startsWith("/") || text.contains("//")) {
      throw place.wrong("is no path: write it from the root, for example /warehouse");
    }
    return text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
