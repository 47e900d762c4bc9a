package io.tierwise.core.view;

import io.tierwise.core.cluster.TierTable;
import java.util.List;
import java.util.Map;

/**
 * The facts that are known of a running cluster.
 *
 * @param layouts named layouts: name to layout text
 * @param volumes in the order of their tiers
 */
public record Census(TierTable tiers, Map<String, String> layouts, List<Volume> volumes) {
  public Census {
    volumes = List.copyOf(volumes);
  }

  /**
   * One volume.
   *
   * @param rack path, as HDFS has it, less the node group where there are any
   * @param region path of the rack's region
   * @param node tells its node from others
   * @param tier index; {@link TierTable#NONE} when it belongs to none
   * @param serves whether it works and its node is in service
   */
  public record Volume(
      String rack,
      String region,
      String node,
      String storageType,
      int tier,
      boolean serves,
      long capacityBytes,
      long remainingBytes) {}
}
