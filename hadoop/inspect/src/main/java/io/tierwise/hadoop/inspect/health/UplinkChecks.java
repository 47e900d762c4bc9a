package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.LinkTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.util.List;
import java.util.Optional;

/**
 * Whether {@code auto} is told what the uplinks of racks carry. It takes an uplink that nobody told
 * to be no limit, and then reads from disks of other racks look as fast as they would be there.
 */
final class UplinkChecks {
  private static final String WHERE = "tiers";
  private static final int NAMES_MAX = 5;

  private UplinkChecks() {}

  /**
   * @param clientSpec the order that clients ask for
   */
  static Optional<Finding> of(String clientSpec, TierConfiguration tiers, ClusterVolumes cluster) {
    List<String> racks =
        cluster.volumes().stream().map(ClusterVolumes.Volume::rack).distinct().sorted().toList();
    if (racks.size() < 2 || !ReadOrderChecks.isRecommended(clientSpec)) {
      return Optional.empty();
    }
    LinkTable links = tiers.links();
    List<String> untold =
        racks.stream().filter(rack -> Double.isNaN(links.uplinkBytesPerSecond(rack))).toList();
    if (untold.isEmpty()) {
      return Optional.of(
          Finding.ok(WHERE, "auto is told the uplinks of all " + racks.size() + " racks"));
    }
    if (links.uplinks().isEmpty()) {
      return Optional.of(
          Finding.ok(
              WHERE,
              "auto takes uplinks between "
                  + racks.size()
                  + " racks to be no limit: where they carry less than their nodes can send, name"
                  + " them under 'uplinks' in "
                  + tiers.source()));
    }
    return Optional.of(
        Finding.warning(
            WHERE,
            "no entry of 'uplinks' matches "
                + Words.count(untold.size(), "rack")
                + ": "
                + names(untold)
                + "; auto takes theirs to be no limit",
            "name them under 'uplinks' in " + tiers.source()));
  }

  private static String names(List<String> racks) {
    String shown = String.join(", ", racks.subList(0, Math.min(racks.size(), NAMES_MAX)));
    return racks.size() > NAMES_MAX ? shown + ", ..." : shown;
  }
}
