package io.tierwise.simulator.fault;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.simulator.cluster.Curves;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.jobs.JobTracker;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.movement.MovementHost;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.storage.Repair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Breaks what the scenario says, when it says so, and mends it again. */
public final class FaultInjector {
  /**
   * From a node's last sign of life to the re-replication of what it held: HDFS's default, twice
   * the recheck interval of 300 s and ten heartbeats of 3 s.
   */
  private static final double DEAD_NODE_SECONDS = 630;

  private final List<Fault> faults = new ArrayList<>();
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Engine engine;
  private final JobTracker tracker;
  private final Repair repair;
  private MovementHost movement;

  /**
   * Faults under way that keep a node, or a volume, down: the last one that ends brings it back.
   */
  private final int[] nodeFailures;

  private final int[] volumeFailures;
  private final long[] downSinceTick;

  /** Faults that slow something at the moment. */
  private final Set<Fault> slowing = new LinkedHashSet<>();

  private final long deadNodeTicks = Ticks.ofSeconds(DEAD_NODE_SECONDS);
  private final int begins;
  private final int ends;
  private final int declaredDead;

  /** A fault and what it hits; equal to itself alone. */
  private static final class Fault {
    final FaultSpec spec;
    final int[] nodes;
    final int volume;
    final int[] links;

    Fault(FaultSpec spec, int[] nodes, int volume, int[] links) {
      this.spec = spec;
      this.nodes = nodes;
      this.volume = volume;
      this.links = links;
    }

    boolean hitsLink(int link) {
      for (int each : links) {
        if (each == link) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * An injector of faults.
   *
   * @throws IllegalArgumentException when a fault names something that is not there
   */
  public FaultInjector(List<FaultSpec> specs, TaskContext context, JobTracker tracker) {
    this.context = context;
    this.cluster = context.cluster();
    this.engine = context.engine();
    this.tracker = tracker;
    this.repair = context.repair();
    this.nodeFailures = new int[cluster.nodeCount()];
    this.volumeFailures = new int[cluster.volumeCount()];
    this.downSinceTick = new long[cluster.nodeCount()];
    this.begins = engine.register(this::begin);
    this.ends = engine.register(this::end);
    this.declaredDead = engine.register(this::declareDead);
    specs.forEach(spec -> faults.add(resolve(spec)));
  }

  private Fault resolve(FaultSpec spec) {
    switch (spec.target()) {
      case NODE:
        return nodeAndLink(spec);
      case RACK:
        return rackAndUplink(spec, rackNamed(spec.name()));
      case LINK:
        // Nodes behind a failed link are down for all others.
        int rack = cluster.rackNamed(spec.name());
        return rack == ClusterView.NONE ? nodeAndLink(spec) : rackAndUplink(spec, rack);
      case DEVICE:
      default:
        return new Fault(spec, new int[0], deviceNamed(spec.name()), new int[0]);
    }
  }

  private Fault nodeAndLink(FaultSpec spec) {
    int node = nodeNamed(spec.name());
    return new Fault(spec, new int[] {node}, ClusterView.NONE, context.paths().linkOf(node));
  }

  private Fault rackAndUplink(FaultSpec spec, int rack) {
    return new Fault(spec, nodesOf(rack), ClusterView.NONE, context.paths().uplinkOf(rack));
  }

  private int rackNamed(String name) {
    int rack = cluster.rackNamed(name);
    if (rack == ClusterView.NONE) {
      throw new IllegalArgumentException("fault: there is no rack '" + name + "'");
    }
    return rack;
  }

  private int nodeNamed(String name) {
    for (int node = 0; node < cluster.nodeCount(); node++) {
      if (cluster.view().nodeName(node).equals(name)) {
        return node;
      }
    }
    throw new IllegalArgumentException(
        "fault: there is no node '"
            + name
            + "': nodes are node-0 to node-"
            + (cluster.nodeCount() - 1));
  }

  private int deviceNamed(String name) {
    int slash = name.indexOf('/');
    if (slash > 0 && name.substring(slash + 1).matches("[0-9]{1,4}")) {
      int node = nodeNamed(name.substring(0, slash));
      int volume = cluster.firstVolume(node) + Integer.parseInt(name.substring(slash + 1));
      if (volume < cluster.firstVolume(node + 1)) {
        return volume;
      }
    }
    throw new IllegalArgumentException(
        "fault: there is no device '" + name + "': name one as node-3/0, the first of node-3");
  }

  private int[] nodesOf(int rack) {
    return java.util.stream.IntStream.range(0, cluster.nodeCount())
        .filter(node -> cluster.rackOf(node) == rack)
        .toArray();
  }

  /**
   * Schedules all.
   *
   * @param toldToo of what breaks, beside tasks and repairs
   */
  public void start(MovementHost toldToo) {
    movement = toldToo;
    for (int i = 0; i < faults.size(); i++) {
      FaultSpec spec = faults.get(i).spec;
      engine.at(Ticks.ofSeconds(spec.atSeconds()), begins, i);
      if (Double.isFinite(spec.untilSeconds())) {
        engine.at(Ticks.ofSeconds(spec.untilSeconds()), ends, i);
      }
    }
  }

  /** Whether a fault is under way. */
  public boolean isAnythingBroken() {
    return !slowing.isEmpty()
        || Arrays.stream(nodeFailures).anyMatch(count -> count > 0)
        || Arrays.stream(volumeFailures).anyMatch(count -> count > 0);
  }

  private void begin(long index) {
    Fault fault = faults.get((int) index);
    repair.failed();
    if (fault.spec.kind() == Kind.SLOW) {
      slowing.add(fault);
      setSpeeds(fault);
      return;
    }
    if (fault.volume != ClusterView.NONE && volumeFailures[fault.volume]++ == 0) {
      failVolume(fault.volume);
    }
    for (int node : fault.nodes) {
      if (nodeFailures[node]++ == 0) {
        failNode(node);
      }
    }
  }

  private void end(long index) {
    Fault fault = faults.get((int) index);
    if (fault.spec.kind() == Kind.SLOW) {
      slowing.remove(fault);
      setSpeeds(fault);
      return;
    }
    if (fault.volume != ClusterView.NONE && --volumeFailures[fault.volume] == 0) {
      repairVolume(fault.volume);
    }
    for (int node : fault.nodes) {
      if (--nodeFailures[node] == 0) {
        repairNode(node);
      }
    }
  }

  private int viewVolume(int volume) {
    return cluster.volume(volume).viewVolume();
  }

  /** Slow-downs of one device or link multiply. */
  private double speedShare(Predicate<Fault> hits) {
    return slowing.stream()
        .filter(hits)
        .mapToDouble(f -> f.spec.factor())
        .reduce(1, (a, b) -> a * b);
  }

  private void setSpeeds(Fault changed) {
    FlowNetwork network = context.transfers().network();
    int volume = changed.volume;
    if (volume != ClusterView.NONE) {
      Curves.slow(network, cluster.volume(volume), speedShare(fault -> fault.volume == volume));
    }
    for (int link : changed.links) {
      if (link != VirtualCluster.UNLIMITED) {
        double share = speedShare(fault -> fault.hitsLink(link));
        network.setCapacity(link, share * cluster.linkBytesPerSecond(link));
      }
    }
  }

  private void failVolume(int volume) {
    cluster.setFailed(volume, true);
    if (viewVolume(volume) != ClusterView.NONE) {
      cluster.view().refuseVolume(viewVolume(volume), Refusal.DEAD);
    }
    // A block that is being written is not stored yet, and no copy is made of it.
    tracker.writesLost(volume);
    movement.volumeLost(volume);
    repair.volumeLost(volume);
    tracker.readsLost(volume);
  }

  private void repairVolume(int volume) {
    cluster.setFailed(volume, false);
    if (viewVolume(volume) != ClusterView.NONE) {
      cluster.view().refuseVolume(viewVolume(volume), Refusal.NONE);
    }
    repair.roomMayBe();
    movement.changed();
  }

  private void failNode(int node) {
    downSinceTick[node] = engine.now();
    cluster.view().refuseNode(node, Refusal.DEAD);
    context.reads().setDown(node, true);
    context.caches()[node].clear();
    for (int v = cluster.firstVolume(node); v < cluster.firstVolume(node + 1); v++) {
      context.buffers().fail(v);
    }
    movement.nodeDown(node);
    repair.nodeDown(node);
    tracker.nodeFailed(node);
    engine.at(engine.now() + deadNodeTicks, declaredDead, node);
  }

  private void declareDead(long argument) {
    int node = (int) argument;
    // It may have been back in the meantime.
    if (nodeFailures[node] == 0 || engine.now() - downSinceTick[node] < deadNodeTicks) {
      return;
    }
    repair.nodeDead(node);
    movement.changed();
  }

  private void repairNode(int node) {
    cluster.view().refuseNode(node, Refusal.NONE);
    context.reads().setDown(node, false);
    repair.nodeUp(node);
    tracker.nodeRepaired(node);
    movement.changed();
  }
}
