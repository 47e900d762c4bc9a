package io.tierwise.simulator.cluster;

import io.tierwise.simulator.cluster.VirtualCluster.Volume;
import io.tierwise.simulator.network.ConcurrencyCurve;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.scenario.DeviceSpec;

/** How a device's throughput depends on the number of its streams. */
public final class Curves {
  private Curves() {}

  /** Adds a device of capacity 1: one device second per second, times its curve. */
  static int addDevice(FlowNetwork network, DeviceSpec device) {
    return device.curve().isEmpty()
        ? network.addResource(1.0)
        : network.addResource(curveOf(device, 1));
  }

  /** Leaves a device {@code factor} of its speed, 1 for all of it. */
  public static void slow(FlowNetwork network, Volume volume, double factor) {
    if (volume.device().curve().isEmpty()) {
      network.setCapacity(volume.resource(), factor);
    } else {
      network.setCapacity(volume.resource(), curveOf(volume.device(), factor));
    }
  }

  private static ConcurrencyCurve curveOf(DeviceSpec device, double factor) {
    int last = device.curve().get(device.curve().size() - 1).streams();
    double[] capacities = new double[last];
    for (int streams = 1; streams <= last; streams++) {
      capacities[streams - 1] = factor * device.share(streams);
    }
    return flows -> capacities[Math.min(flows, last) - 1];
  }
}
