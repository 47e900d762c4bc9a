package io.tierwise.lab.demo;

import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.NodeReads;
import io.tierwise.lab.embedded.EmbeddedNode;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.lab.embedded.device.DeviceModel;
import io.tierwise.simulator.Decisions;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A virtual twin of the embedded cluster: the emulation's own figures for devices and links,
 * nothing fitted.
 */
public final class DemoTwin {
  /** More than any device of the demo has at once. */
  private static final int STREAMS_MAX = 64;

  private static final long PLENTY_BYTES = 1L << 50;

  private final EmbeddedPlan cluster;
  private final DfsioPlan plan;

  public DemoTwin(EmbeddedPlan cluster, DfsioPlan plan) {
    this.cluster = cluster;
    this.plan = plan;
  }

  /** The one of TestDFSIO's jobs that is asked about. */
  enum Phase {
    WRITE,
    READ
  }

  /** TestDFSIO's throughput in one run, in bytes per second, when policies decide. */
  double bytesPerSecond(Phase phase, String placement, String access, int run) throws IOException {
    return figure(phase, Simulation.of(scenario(phase, placement, access, run)));
  }

  /** As above, when others decide. */
  double bytesPerSecond(Phase phase, Decisions decisions, int run) throws IOException {
    Scenario scenario = scenario(phase, "network-aware", "network-aware", run);
    return figure(phase, Simulation.of(scenario, decisions));
  }

  private static double figure(Phase phase, Simulation simulation) throws IOException {
    RunResult result = simulation.run(Progress.NONE);
    return phase == Phase.WRITE
        ? result.writes().totalBytesPerSecond()
        : result.reads().totalBytesPerSecond();
  }

  /** A movement on the twin, with no other work than a task of a byte. */
  static MovementResult moving(
      EmbeddedPlan cluster, int blockBytes, List<StoredSpec> stored, MovementSpec movement)
      throws IOException {
    DfsioPlan idle = new DfsioPlan(1, 1, blockBytes, (short) 3, 0, 1);
    Scenario quiet =
        new DemoTwin(cluster, idle)
            .scenario(Phase.WRITE, stored.get(0).placement(), "network-aware", 0);
    Scenario moving =
        new Scenario(
            quiet.name(),
            quiet.seed(),
            quiet.cluster(),
            quiet.tiers(),
            quiet.policies(),
            quiet.model(),
            quiet.workload(),
            quiet.faults(),
            stored,
            List.of(movement));
    return Simulation.of(moving).run(Progress.NONE).movements().get(0);
  }

  /** The best that a run's reads could reach. */
  public ReadBound bound(RunRecord run) {
    List<TierSpec> tiers = tiers();
    NodeReads reads =
        new NodeReads(cluster.nodes().size(), cluster.linkBytesPerSecond() * cluster.speedFactor());
    int[][] devices = new int[cluster.nodes().size()][tiers.size()];
    for (int node = 0; node < devices.length; node++) {
      for (DeviceModel model : cluster.nodes().get(node).devices().values()) {
        DeviceSpec device = device(Phase.READ, model);
        int tier = tiers.stream().map(TierSpec::device).toList().indexOf(model.name());
        devices[node][tier] =
            reads.addDevice(readers -> device.readBytesPerSecond() * device.share(readers));
      }
    }
    for (int task = 0; task < run.readers().size(); task++) {
      reads.addReader(run.readers().get(task));
      for (List<RunRecord.Replica> block : run.blocks().get(task)) {
        reads.addBlock((double) Math.min(plan.blockBytes(), plan.fileBytes()));
        for (RunRecord.Replica replica : block) {
          reads.addReplica(replica.node(), devices[replica.node()][replica.tier()]);
        }
      }
    }
    return reads.bound();
  }

  private Scenario scenario(Phase phase, String placement, String access, int run) {
    return new Scenario(
        "demo",
        plan.seed() + run,
        new ClusterSpec(racks(phase, placement), Double.POSITIVE_INFINITY, 0),
        tiers(),
        new PolicySpec(placement, access, plan.replication(), plan.blockBytes(), PolicySpec.FIFO),
        // Writes wait for the emulated device; nothing computes, nothing is cached.
        new ModelSpec(
            0, 0, 1 << 20, 10, 1 << 20, 0, 1 << 30, 1, 1, 0, 0, false, 0, 0, 0, 1, 0, false, false,
            true, false, 0),
        new WorkloadSpec.Dfsio(
            plan.taskCount(), plan.fileBytes(), true, phase == Phase.READ, plan.dataLocalShare()),
        List.of());
  }

  /**
   * Each rack is a region, as on the embedded cluster, for who places by regions. They are given by
   * a key there and are no level of the topology, so that a client counts no hops for them.
   */
  private List<Rack> racks(Phase phase, String placement) {
    boolean hasRegions = placement.startsWith("region-aware");
    List<Rack> racks = new ArrayList<>();
    for (EmbeddedNode node : cluster.nodes()) {
      NodeGroup group = new NodeGroup(node(phase, node), 1);
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

  private NodeSpec node(Phase phase, EmbeddedNode node) {
    int tasks = (plan.taskCount() + cluster.nodes().size() - 1) / cluster.nodes().size();
    List<VolumeGroup> volumes =
        node.devices().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(device -> device(phase, device.getValue()))
            .map(device -> new VolumeGroup(device, 1, PLENTY_BYTES, true, true))
            .toList();
    double link = cluster.linkBytesPerSecond() * cluster.speedFactor();
    return new NodeSpec(
        node.hostName(), tasks + 1, 1e9, 0, 0, 1e12, tasks, 0, link, 0, 0, 0, 1, volumes);
  }

  /**
   * The curve is the phase's: positioning takes the same time for reads and writes, which is a
   * smaller part of the slower writes.
   */
  private static DeviceSpec device(Phase phase, DeviceModel model) {
    List<CurvePoint> curve = new ArrayList<>();
    for (int streams = 2; model.positioningSeconds() > 0 && streams <= STREAMS_MAX; streams++) {
      double share = seconds(phase, model, 1) / seconds(phase, model, streams);
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

  private static double seconds(Phase phase, DeviceModel model, int streams) {
    return phase == Phase.WRITE
        ? model.secondsToWrite(1 << 20, streams)
        : model.secondsToRead(1 << 20, streams);
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
