package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.util.List;

/** Makes a scenario of a document that is complete: everything it is based on is laid under it. */
final class ScenarioReader {
  private ScenarioReader() {}

  static Scenario read(YamlValue document, String defaultName) {
    Fields fields = Fields.of(new Place(document, ""), ScenarioKeys.SCENARIO);
    ClusterReader reader = new ClusterReader(new Hardware(fields));
    ClusterSpec cluster = reader.cluster(fields.nested("cluster", ScenarioKeys.CLUSTER));
    List<TierSpec> tiers = reader.tiers(fields, cluster);
    TierTable table = ScenarioTiers.table(tiers, ScenarioTiers.dataDevices(cluster));
    PolicyReader policyReader = new PolicyReader(cluster, table);
    PolicySpec policies = policyReader.read(fields.nested("policies", ScenarioKeys.POLICIES));
    MovementReader movement = new MovementReader(cluster, policies, policyReader);
    ModelSpec model = ModelSection.read(fields.nested("model", ScenarioKeys.MODEL));
    if (!fields.has(ScenarioKeys.WORKLOAD)) {
      throw fields
          .place()
          .error(
              "has no workload: give the key in a file of your own, or"
                  + " --set 'workload={dfsio: {tasks: 27, file: 1 GB}}'");
    }
    Fields workloadFields = fields.nested("workload", ScenarioKeys.WORKLOAD);
    WorkloadSpec workload = WorkloadReader.read(workloadFields, cluster);
    Fields policyFields = fields.nested("policies", ScenarioKeys.POLICIES);
    PolicyReader.requireQueues(policyFields.at("scheduler"), workload);
    requireCapacity(workloadFields, workload, cluster, policies, model);
    return new Scenario(
        fields.has("name") ? title(fields.at("name")) : defaultName,
        fields.count("seed"),
        cluster,
        tiers,
        policies,
        model,
        workload,
        new FaultReader(cluster).read(fields.items("faults")),
        movement.stored(fields.items("stored")),
        movement.movements(fields.items("movement")),
        movement.upkeep(fields, table, workload));
  }

  private static String title(Place place) {
    String text = place.text();
    if (text.length() > 80 || text.chars().anyMatch(Character::isISOControl)) {
      throw place.wrong("is no title: one line of at most 80 characters");
    }
    return text;
  }

  /** The room that TestDFSIO needs at once is known beforehand. */
  private static void requireCapacity(
      Fields fields,
      WorkloadSpec workload,
      ClusterSpec cluster,
      PolicySpec policies,
      ModelSpec model) {
    if (!(workload instanceof WorkloadSpec.Dfsio dfsio) || model.evictWhenFull()) {
      return;
    }
    double capacity = capacityBytes(cluster);
    double wanted = (double) dfsio.taskCount() * dfsio.fileBytes() * policies.replication();
    if (wanted > capacity) {
      throw fields
          .nested("dfsio", ScenarioKeys.DFSIO)
          .at("file")
          .wrong(
              "files need "
                  + rounded(wanted)
                  + " with "
                  + policies.replication()
                  + " replicas, the cluster holds "
                  + rounded(capacity)
                  + ": fewer tasks or smaller files");
    }
  }

  /** Of all volumes that hold data. */
  static double capacityBytes(ClusterSpec cluster) {
    double capacity = 0;
    for (Rack rack : cluster.racks()) {
      for (NodeGroup group : rack.groups()) {
        for (VolumeGroup volumes : group.node().volumes()) {
          capacity +=
              volumes.data()
                  ? (double) group.count() * volumes.count() * volumes.capacityBytes()
                  : 0;
        }
      }
    }
    return capacity;
  }

  static String rounded(double bytes) {
    return String.format(java.util.Locale.ROOT, "%.1f GB", bytes / 1e9);
  }
}
