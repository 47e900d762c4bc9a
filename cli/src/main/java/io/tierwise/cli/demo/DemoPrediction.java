package io.tierwise.cli.demo;

import io.tierwise.cli.bench.DfsioPlan;
import io.tierwise.hadoop.embedded.EmbeddedNode;
import io.tierwise.hadoop.embedded.EmbeddedPlan;
import io.tierwise.hadoop.embedded.device.DeviceModel;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the simulator says of a row: the same policy classes on a virtual twin of the embedded
 * cluster, with the emulation's own figures and nothing fitted.
 *
 * <p>The demo runs a row two or three times; the twin runs it with many seeds, which shows how much
 * of a row is luck.
 */
final class DemoPrediction {
  private static final int RUNS = 100;

  /** More than any device of the demo has at once. */
  private static final int STREAMS_MAX = 64;

  private static final long PLENTY_BYTES = 1L << 50;

  private final EmbeddedPlan cluster;
  private final DfsioPlan plan;

  DemoPrediction(EmbeddedPlan cluster, DfsioPlan plan) {
    this.cluster = cluster;
    this.plan = plan;
  }

  /**
   * TestDFSIO's read throughput.
   *
   * @param low bytes per second that one run in ten stays below
   * @param high bytes per second that one run in ten exceeds
   */
  record Rate(double median, double low, double high) {}

  /** The row's rate, or nothing for a row that no policy of ours decides. */
  Optional<Rate> of(String placement, String access) throws IOException {
    Optional<String> specification = placementOf(placement);
    boolean stockAccess = access.equals(DemoPlacement.STOCK);
    if (specification.isEmpty() || (access.startsWith(DemoPlacement.STOCK) && !stockAccess)) {
      return Optional.empty();
    }
    double[] rates = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      Scenario scenario =
          scenario(specification.get(), stockAccess ? "network-aware" : fullAccess(access), run);
      rates[run] = Simulation.of(scenario).run(Progress.NONE).reads().totalBytesPerSecond();
    }
    Arrays.sort(rates);
    return Optional.of(new Rate(rates[RUNS / 2], rates[RUNS / 10], rates[RUNS - 1 - RUNS / 10]));
  }

  private Optional<String> placementOf(String name) {
    if (name.equals(DemoPlacement.STOCK_HOT)) {
      return Optional.of("network-aware:tiers=" + DeviceModel.DISK.name());
    }
    return placements().stream()
        .filter(placement -> placement.name().equals(name))
        .filter(placement -> placement.how() == DemoPlacement.How.ATTRIBUTE)
        .map(DemoPlacement::specification)
        .findFirst();
  }

  /** Rows leave out the link speed that the strategy is told. */
  private String fullAccess(String shortName) {
    return placements().stream()
        .flatMap(placement -> placement.accesses().stream())
        .filter(access -> DemoPlacement.shortName(access).equals(shortName))
        .findFirst()
        .orElse(shortName);
  }

  private List<DemoPlacement> placements() {
    return DemoPlacement.all(cluster.linkBytesPerSecond() * cluster.speedFactor());
  }

  private Scenario scenario(String placement, String access, int run) {
    return new Scenario(
        "demo",
        plan.seed() + run,
        new ClusterSpec(racks(placement), Double.POSITIVE_INFINITY, 0),
        tiers(),
        new PolicySpec(
            placement, access, plan.replication(), plan.blockBytes(), PolicySpec.Scheduler.FIFO),
        // Writes wait for the emulated device; nothing computes, nothing is cached.
        new ModelSpec(0, 0, 1 << 20, 1 << 30, 1, 1, 0, 0, false, 0, 0, 0, 1, 0, false, false, true),
        new WorkloadSpec.Dfsio(
            plan.taskCount(), plan.fileBytes(), true, true, plan.dataLocalShare()),
        List.of());
  }

  /**
   * Each rack is a region, as on the embedded cluster, for who places by regions. They are given by
   * a key there and are no level of the topology, so that a client counts no hops for them.
   */
  private List<Rack> racks(String placement) {
    boolean hasRegions = placement.startsWith("region-aware");
    List<Rack> racks = new ArrayList<>();
    for (EmbeddedNode node : cluster.nodes()) {
      NodeGroup group = new NodeGroup(node(node), 1);
      int last = racks.size() - 1;
      if (last >= 0 && racks.get(last).name().equals(node.rack())) {
        List<NodeGroup> groups = new ArrayList<>(racks.get(last).groups());
        groups.add(group);
        racks.set(last, rack(node.rack(), hasRegions, groups));
      } else {
        racks.add(rack(node.rack(), hasRegions, List.of(group)));
      }
    }
    return racks;
  }

  private static Rack rack(String name, boolean hasRegions, List<NodeGroup> groups) {
    return new Rack(name, hasRegions ? name : "all", Double.POSITIVE_INFINITY, groups);
  }

  private NodeSpec node(EmbeddedNode node) {
    int tasks = (plan.taskCount() + cluster.nodes().size() - 1) / cluster.nodes().size();
    List<VolumeGroup> volumes =
        node.devices().values().stream()
            .map(device -> new VolumeGroup(device(device), 1, PLENTY_BYTES, true, true))
            .toList();
    double link = cluster.linkBytesPerSecond() * cluster.speedFactor();
    return new NodeSpec(
        node.hostName(), tasks + 1, 1e9, 0, 0, 1e12, tasks, 0, link, 0, 0, 0, volumes);
  }

  private static DeviceSpec device(DeviceModel model) {
    List<CurvePoint> curve = new ArrayList<>();
    for (int streams = 2; model.positioningSeconds() > 0 && streams <= STREAMS_MAX; streams++) {
      double share = model.secondsToRead(1 << 20, 1) / model.secondsToRead(1 << 20, streams);
      curve.add(new CurvePoint(streams, share));
    }
    return new DeviceSpec(
        model.name(),
        model.readBytesPerSecond(),
        model.writeBytesPerSecond(),
        curve,
        0,
        model.readersAtPeak(),
        0,
        0,
        0);
  }

  private List<TierSpec> tiers() {
    List<TierSpec> tiers = new ArrayList<>();
    tiers.add(tier(DeviceModel.PCIE_SSD));
    if (cluster.sataNodesPerRack() > 0) {
      tiers.add(tier(DeviceModel.SATA_SSD));
    }
    tiers.add(tier(DeviceModel.DISK));
    return tiers;
  }

  private static TierSpec tier(DeviceModel model) {
    return new TierSpec(model.name(), model.name(), List.of());
  }
}
