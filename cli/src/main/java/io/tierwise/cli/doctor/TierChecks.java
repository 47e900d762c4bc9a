package io.tierwise.cli.doctor;

import io.tierwise.cli.cluster.ClusterVolumes;
import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.ArrayList;
import java.util.List;

/** Holds the tier table against the cluster's volumes, and its texts against the policies. */
final class TierChecks {
  private static final double NEARLY_FULL = 0.9;

  private final TierConfiguration tiers;

  TierChecks(TierConfiguration tiers) {
    this.tiers = tiers;
  }

  List<Finding> all(ClusterVolumes cluster) {
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.ok("tiers", tiers.source() + ": " + tiers.table().names()));
    cluster
        .mistakes()
        .forEach(line -> findings.add(Finding.failure("tiers", line, "mend " + tiers.source())));
    long unmatched = cluster.volumes().stream().filter(v -> v.tier() < 0).count();
    if (unmatched > 0) {
      findings.add(
          Finding.warning(
              "tiers",
              unmatched + " volume(s) belong to no tier",
              "no policy uses them; see 'tierwise tiers list --volumes'"));
    }
    for (Tier tier : tiers.table().tiers()) {
      findings.addAll(tier(tier, cluster));
    }
    findings.addAll(texts());
    return findings;
  }

  private static List<Finding> tier(Tier tier, ClusterVolumes cluster) {
    List<ClusterVolumes.Volume> volumes =
        cluster.volumes().stream().filter(v -> v.tier() == tier.index()).toList();
    if (volumes.isEmpty()) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    if (Double.isNaN(tier.deviceClass().readBytesPerSecond())) {
      findings.add(
          Finding.warning(
              "tiers",
              "tier " + tier.name() + " has no measured figures",
              "run 'tierwise tiers probe --write tiers.yaml' on a DataNode of that tier"));
    }
    long capacityBytes = volumes.stream().mapToLong(ClusterVolumes.Volume::capacityBytes).sum();
    long remainingBytes = volumes.stream().mapToLong(ClusterVolumes.Volume::remainingBytes).sum();
    double full = capacityBytes == 0 ? 1 : 1 - (double) remainingBytes / capacityBytes;
    if (full >= NEARLY_FULL) {
      List<String> fallback =
          tier.fallback().stream().map(t -> cluster.tiers().table().tier(t).name()).toList();
      findings.add(
          Finding.warning(
              "tiers",
              "tier " + tier.name() + " is " + Math.round(100 * full) + "% full",
              "new blocks fall back to " + fallback + "; free space or take paths out of it"));
    }
    return findings;
  }

  /** Every specification that the tier table itself names. */
  private List<Finding> texts() {
    List<Finding> findings = new ArrayList<>();
    for (PathRule rule : tiers.rules()) {
      String place = "rule for " + rule.pattern();
      if (rule.placement() != null) {
        check(
            findings,
            place,
            () -> PlacementPolicies.parse(rule.placement(), tiers.table(), tiers.layouts()));
      }
      if (rule.access() != null) {
        check(findings, place, () -> AccessStrategies.parse(rule.access()));
      }
    }
    tiers
        .layouts()
        .keySet()
        .forEach(
            name ->
                check(
                    findings,
                    "layout " + name,
                    () ->
                        PlacementPolicies.parse("layout:" + name, tiers.table(), tiers.layouts())));
    return findings;
  }

  private void check(List<Finding> findings, String place, Runnable parse) {
    try {
      parse.run();
    } catch (IllegalArgumentException e) {
      findings.add(
          Finding.failure("tiers", place + ": " + e.getMessage(), "mend " + tiers.source()));
    }
  }
}
