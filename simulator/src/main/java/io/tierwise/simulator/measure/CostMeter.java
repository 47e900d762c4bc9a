package io.tierwise.simulator.measure;

import io.tierwise.policies.cost.Energy;
import io.tierwise.policies.cost.Money;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.VirtualCluster.Volume;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Prices;
import io.tierwise.simulator.scenario.DeviceSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joules, wear and price: each device with the seconds in which it was busy, each node with the
 * core seconds that its tasks computed and its streams took.
 */
public final class CostMeter {
  private final VirtualCluster cluster;
  private final FlowNetwork network;
  private final WriteBuffers buffers;
  private final double[] coreSeconds;

  public CostMeter(VirtualCluster cluster, FlowNetwork network, WriteBuffers buffers) {
    this.cluster = cluster;
    this.network = network;
    this.buffers = buffers;
    this.coreSeconds = new double[cluster.nodeCount()];
  }

  /** A task computed: {@code cycles} of one core of the node. */
  public void computed(int node, double cycles) {
    coreSeconds[node] += cycles / cluster.node(node).cyclesPerSecond();
  }

  /** Adds a line for each device class: the mean share of time that its devices are busy. */
  public void addUtilisation(Sampler sampler) {
    Map<String, int[]> resources = new LinkedHashMap<>();
    for (String name : classes().keySet()) {
      resources.put(
          name,
          volumes()
              .filter(v -> v.device().name().equals(name))
              .mapToInt(Volume::resource)
              .toArray());
    }
    resources.forEach(
        (name, ids) ->
            sampler.add(
                "busy " + name,
                "share of time",
                () -> Arrays.stream(ids).mapToDouble(network::busySeconds).sum(),
                1.0 / ids.length));
  }

  private java.util.stream.Stream<Volume> volumes() {
    return java.util.stream.IntStream.range(0, cluster.volumeCount()).mapToObj(cluster::volume);
  }

  private Map<String, DeviceSpec> classes() {
    Map<String, DeviceSpec> classes = new LinkedHashMap<>();
    volumes().forEach(volume -> classes.put(volume.device().name(), volume.device()));
    return classes;
  }

  /** The cost of {@code seconds} of the cluster. */
  public RunResult.Cost cost(double seconds) {
    List<String> names = List.copyOf(classes().keySet());
    double[] joules = new double[names.size()];
    long[] written = new long[names.size()];
    long buffered = 0;
    double dollars = 0;
    for (int v = 0; v < cluster.volumeCount(); v++) {
      Volume volume = cluster.volume(v);
      DeviceSpec device = volume.device();
      int index = names.indexOf(device.name());
      double busy = network.busySeconds(volume.resource());
      joules[index] +=
          Energy.deviceJoules(
              seconds, Math.min(busy, seconds), device.wattsIdle(), device.wattsActive());
      written[index] += buffers.writtenBytes(v);
      buffered += buffers.bufferedBytes(v);
      dollars +=
          Money.capacityDollars((double) volume.capacityBytes(), device.dollarsPerGigabyte());
    }
    Prices prices = cluster.spec().prices();
    double nodeJoules = 0;
    for (int node = 0; node < cluster.nodeCount(); node++) {
      NodeSpec spec = cluster.node(node);
      nodeJoules += nodeJoules(node, seconds);
      dollars +=
          spec.dollars() + Money.equipmentDollars(0, 0, spec.ports(), prices.dollarsPerPort());
    }
    double energyDollars =
        Money.energyDollars(
            nodeJoules + Arrays.stream(joules).sum(), prices.dollarsPerKilowattHour());
    return new RunResult.Cost(nodeJoules, names, joules, written, buffered, dollars, energyDollars);
  }

  private double streamCoreSeconds(int node) {
    int cycles = cluster.streamCycles(node);
    return cycles == VirtualCluster.UNLIMITED
        ? 0
        : network.unitsMoved(cycles) / cluster.node(node).cyclesPerSecond();
  }

  /** Joules of a node in {@code seconds}, without its devices. */
  public double nodeJoules(int node, double seconds) {
    NodeSpec spec = cluster.node(node);
    // Tasks that compute without a transfer may be more than there are cores.
    double taken = coreSeconds[node] + streamCoreSeconds(node);
    double busy = Math.min(taken, seconds * spec.cores());
    return Energy.nodeJoules(seconds, busy, spec.cores(), spec.wattsIdle(), spec.wattsBusy());
  }
}
