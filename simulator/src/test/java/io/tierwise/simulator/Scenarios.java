package io.tierwise.simulator;

import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import java.util.ArrayList;
import java.util.List;

/** Small clusters for tests: hatS's testbed (DerbyhatS 4.3.1) and what it is varied to. */
final class Scenarios {
  static final DeviceSpec PCIE = device("pcie-ssd", 533e6, 245e6);
  static final DeviceSpec SATA = device("sata-ssd", 191e6, 139e6);
  static final DeviceSpec DISK = device("disk", 61e6, 46e6);

  static final List<TierSpec> TIERS =
      List.of(
          new TierSpec("pcie", "pcie-ssd", List.of()),
          new TierSpec("sata", "sata-ssd", List.of()),
          new TierSpec("disk", "disk", List.of()));

  /** Four small jobs of one client, six minutes apart. */
  static final WorkloadSpec FEW_GREPS =
      new Applications(new Arrival.ClosedLoop(1, 350), List.of(new Share("lsn/grep", 4, 0.05)));

  private Scenarios() {}

  static DeviceSpec device(String name, double read, double write) {
    return new DeviceSpec(name, read, write, List.of(), 0, 5, 8, 0.05);
  }

  static NodeSpec node(String name, double linkBytesPerSecond, List<VolumeGroup> volumes) {
    return new NodeSpec(
        name,
        8,
        2.8e9,
        4L << 30,
        1L << 30,
        5e9,
        6,
        2,
        linkBytesPerSecond,
        100,
        200,
        1000,
        1,
        volumes);
  }

  static VolumeGroup volume(DeviceSpec device, long bytes, boolean temporary) {
    return new VolumeGroup(device, 1, bytes, true, temporary);
  }

  /** Three racks of nine: one with a PCIe SSD, three with a SATA SSD, all with a disk. */
  static ClusterSpec hats(double linkBytesPerSecond) {
    VolumeGroup disk = volume(DISK, 500_000_000_000L, true);
    NodeSpec plain = node("plain", linkBytesPerSecond, List.of(disk));
    NodeSpec sata =
        node("sata", linkBytesPerSecond, List.of(volume(SATA, 128_000_000_000L, false), disk));
    NodeSpec pcie =
        node("pcie", linkBytesPerSecond, List.of(volume(PCIE, 128_000_000_000L, false), disk));
    List<Rack> racks = new ArrayList<>();
    for (int rack = 0; rack < 3; rack++) {
      racks.add(
          new Rack(
              "rack-" + rack,
              "region",
              Double.POSITIVE_INFINITY,
              List.of(new NodeGroup(pcie, 1), new NodeGroup(sata, 3), new NodeGroup(plain, 5))));
    }
    return new ClusterSpec(racks, Double.POSITIVE_INFINITY, 0.0001);
  }

  static ModelSpec model() {
    return model(false, 0, 1);
  }

  private static ModelSpec model(
      boolean speculative, double stragglerShare, double stragglerFactor) {
    return new ModelSpec(
        1,
        2,
        100L << 20,
        10,
        92L << 20,
        0,
        1L << 30,
        100,
        32,
        0.05,
        3,
        speculative,
        40,
        10,
        stragglerShare,
        stragglerFactor,
        0,
        false,
        true,
        false,
        false,
        0);
  }

  static Scenario of(ClusterSpec cluster, String placement, String access, WorkloadSpec workload) {
    return of(cluster, placement, access, workload, List.of());
  }

  static Scenario of(
      ClusterSpec cluster,
      String placement,
      String access,
      WorkloadSpec workload,
      List<FaultSpec> faults) {
    PolicySpec policies = new PolicySpec(placement, access, 3, 64L << 20, PolicySpec.FIFO);
    List<TierSpec> tiers =
        TIERS.stream().filter(tier -> hasDevice(cluster, tier.device())).toList();
    return new Scenario("test", 42, cluster, tiers, policies, model(), workload, faults);
  }

  /** As {@link #of}, with slow tasks, and with or without second attempts of them. */
  static Scenario withStragglers(
      ClusterSpec cluster, WorkloadSpec workload, boolean speculative, long seed) {
    Scenario plain = of(cluster, "hybrid", "hybrid", workload);
    return new Scenario(
        plain.name(),
        seed,
        plain.cluster(),
        plain.tiers(),
        plain.policies(),
        model(speculative, 0.05, 20),
        plain.workload(),
        plain.faults());
  }

  /** The scenario with another replication and another model. */
  static Scenario with(Scenario plain, int replication, ModelSpec model) {
    PolicySpec policies = plain.policies();
    return new Scenario(
        plain.name(),
        plain.seed(),
        plain.cluster(),
        plain.tiers(),
        new PolicySpec(
            policies.placement(),
            policies.access(),
            replication,
            policies.blockBytes(),
            policies.scheduler()),
        model,
        plain.workload(),
        plain.faults());
  }

  private static boolean hasDevice(ClusterSpec cluster, String name) {
    return cluster.racks().stream()
        .flatMap(rack -> rack.groups().stream())
        .flatMap(group -> group.node().volumes().stream())
        .anyMatch(volumes -> volumes.device().name().equals(name));
  }
}
