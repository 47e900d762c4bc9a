package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.Nearest;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.util.List;
import java.util.Optional;

/** Reads the section {@code policies} with the readers of a live cluster. */
final class PolicyReader {
  private static final String STOCK = "stock";
  private static final String STOCK_HERE = "network-aware";

  private final ClusterSpec cluster;
  private final TierTable tiers;

  PolicyReader(ClusterSpec cluster, TierTable tiers) {
    this.cluster = cluster;
    this.tiers = tiers;
  }

  PolicySpec read(Fields fields) {
    PolicySpec policies =
        new PolicySpec(
            placement(fields.at("placement")),
            access(fields.at("access")),
            fields.intCount("replication"),
            fields.bytes("block"),
            scheduler(fields.at("scheduler")));
    requireRoom(fields, policies);
    return policies;
  }

  /** A placement policy as a live cluster takes it. */
  String placement(Place place) {
    return placement(place, place.text());
  }

  /** The same, or a layout alone. */
  String placementOrLayout(Place place) {
    return placement(place, PlacementPolicies.ofLayoutOrPolicy(place.text()));
  }

  private String placement(Place place, String written) {
    String text = unstocked(written);
    try {
      PlacementPolicies.parse(text, tiers);
    } catch (IllegalArgumentException e) {
      throw place.error(e.getMessage());
    }
    long regions = cluster.racks().stream().map(Rack::region).distinct().count();
    if (text.equals("region-aware") && regions < 2) {
      throw place.wrong(
          "needs regions, but all racks are in one: give racks a region, two or more in all");
    }
    return text;
  }

  private static String access(Place place) {
    String text = unstocked(place.text());
    try {
      AccessStrategies.parse(text);
    } catch (IllegalArgumentException e) {
      throw place.error(e.getMessage());
    }
    return text;
  }

  private static String scheduler(Place place) {
    String text = place.text();
    try {
      SchedulingPolicies.parse(text);
    } catch (IllegalArgumentException e) {
      throw place.error(e.getMessage());
    }
    return text;
  }

  /** A scheduler names no queue without jobs: the share of that would be lost for all others. */
  static void requireQueues(Place scheduler, WorkloadSpec workload) {
    Optional<List<String>> queues = workload.applicationNames();
    if (queues.isEmpty()) {
      return;
    }
    for (String queue : SchedulingPolicies.parse(scheduler.text()).queueNames()) {
      if (!queues.get().contains(queue)) {
        throw scheduler.wrong(
            "names the queue \""
                + queue
                + "\", in which no job is: a job's queue is its application"
                + Nearest.hint(queue, queues.get()));
      }
    }
  }

  private static String unstocked(String text) {
    return text.equals(STOCK) ? STOCK_HERE : text;
  }

  private void requireRoom(Fields fields, PolicySpec policies) {
    long dataNodes = 0;
    long largest = 0;
    for (Rack rack : cluster.racks()) {
      for (NodeGroup group : rack.groups()) {
        boolean data = false;
        for (VolumeGroup volumes : group.node().volumes()) {
          data |= volumes.data();
          largest = volumes.data() ? Math.max(largest, volumes.capacityBytes()) : largest;
        }
        dataNodes += data ? group.count() : 0;
      }
    }
    if (policies.replication() > dataNodes) {
      throw fields
          .at("replication")
          .wrong("replicas need as many nodes that hold data; there are " + dataNodes);
    }
    if (policies.blockBytes() > largest) {
      throw fields
          .at("block")
          .wrong("fits on no volume; the largest holds " + Quantity.BYTES.writeWhole(largest));
    }
  }
}
