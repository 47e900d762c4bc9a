package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.List;
import java.util.Optional;

/** Holds the tier table against the cluster's volumes, and its texts against the policies. */
public final class TierChecks {
  private static final double NEARLY_FULL = 0.9;

  private final TierConfiguration tiers;
  private final Findings findings;

  public TierChecks(TierConfiguration tiers, Findings findings) {
    this.tiers = tiers;
    this.findings = findings;
  }

  /** Holds the tiers against the volumes that exist. */
  public void volumes(ClusterVolumes cluster) {
    cluster
        .mistakes()
        .forEach(line -> findings.add(Finding.failure("tiers", line, "mend " + tiers.source())));
    long unmatched = cluster.volumes().stream().filter(v -> v.tier() < 0).count();
    if (unmatched > 0) {
      findings.add(
          Finding.warning(
              "tiers",
              Words.count(unmatched, "volume") + " of no tier",
              "no policy uses them; see 'tierwise tiers list --volumes'"));
    }
    for (Tier tier : tiers.table().tiers()) {
      tier(tier, cluster);
    }
  }

  private void tier(Tier tier, ClusterVolumes cluster) {
    List<ClusterVolumes.Volume> volumes =
        cluster.volumes().stream().filter(v -> v.tier() == tier.index()).toList();
    if (volumes.isEmpty()) {
      if (tiers.isByStorageType()) {
        // Nobody named these tiers: they are HDFS's storage types.
        return;
      }
      findings.add(
          Finding.warning(
              "tiers",
              "tier " + tier.name() + " matches no volume of a live node",
              "policies that name it always fall back; look for dead nodes, or compare its match in "
                  + tiers.source()
                  + " with 'tierwise tiers list --volumes'"));
      return;
    }
    if (Double.isNaN(tier.deviceClass().readBytesPerSecond())) {
      findings.add(
          Finding.warning(
              "tiers",
              "tier " + tier.name() + " has no measured figures",
              "run 'tierwise tiers probe --write tiers.yaml' on a DataNode of that tier"));
    }
    List<String> fallback =
        tier.fallback().stream().map(t -> cluster.tiers().table().tier(t).name()).toList();
    List<ClusterVolumes.Volume> usable =
        volumes.stream().filter(ClusterVolumes.Volume::inService).toList();
    if (usable.isEmpty()) {
      findings.add(
          Finding.warning(
              "tiers",
              "tier " + tier.name() + " has no volume in service",
              "new blocks fall back to " + fallback + "; see 'tierwise tiers list --volumes'"));
      return;
    }
    long capacityBytes = usable.stream().mapToLong(ClusterVolumes.Volume::capacityBytes).sum();
    long remainingBytes = usable.stream().mapToLong(ClusterVolumes.Volume::remainingBytes).sum();
    double full = capacityBytes == 0 ? 1 : 1 - (double) remainingBytes / capacityBytes;
    if (full >= NEARLY_FULL) {
      findings.add(
          Finding.warning(
              "tiers",
              "tier " + tier.name() + " is " + Math.round(100 * full) + "% full",
              "new blocks fall back to " + fallback + "; free space or take paths out of it"));
    }
  }

  /** The tiers of policies that name none, such as hybrid, where nobody wrote a table. */
  static Optional<Finding> counted(TierConfiguration inForce) {
    return inForce.isByStorageType()
        ? Optional.of(
            Finding.ok(
                "tiers",
                "no tier table: policies that name no tier count "
                    + String.join(", ", inForce.countedNames())
                    + ", the storage types that have a volume"))
        : Optional.empty();
  }

  /** Every specification that the tier table itself names. */
  public void texts() {
    findings.add(Finding.ok("tiers", tiers.source() + ": " + tiers.table().names()));
    for (PathRule rule : tiers.rules()) {
      String place = "rule for " + rule.pattern();
      if (rule.placement() != null) {
        check(
            place, () -> PlacementPolicies.parse(rule.placement(), tiers.table(), tiers.layouts()));
      }
      if (rule.access() != null) {
        check(place, () -> AccessStrategies.parse(rule.access()));
      }
    }
    tiers
        .layouts()
        .keySet()
        .forEach(
            name ->
                check(
                    "layout " + name,
                    () ->
                        PlacementPolicies.parse("layout:" + name, tiers.table(), tiers.layouts())));
  }

  private void check(String place, Runnable parse) {
    try {
      parse.run();
    } catch (IllegalArgumentException e) {
      findings.add(
          Finding.failure("tiers", place + ": " + e.getMessage(), "mend " + tiers.source()));
    }
  }
}
