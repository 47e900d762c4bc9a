package io.tierwise.simulator.cluster;

import io.tierwise.simulator.cluster.VirtualCluster.Volume;
import io.tierwise.simulator.network.ConcurrencyCurve;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import java.util.List;

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
      capacities[streams - 1] = factor * share(device, streams);
    }
    return flows -> capacities[Math.min(flows, last) - 1];
  }

  /** Throughput with {@code streams} streams as a share of that with one. */
  public static double share(DeviceSpec device, int streams) {
    List<CurvePoint> points = device.curve();
    CurvePoint below = new CurvePoint(1, 1);
    for (CurvePoint point : points) {
      if (point.streams() >= streams) {
        int gap = point.streams() - below.streams();
        return gap <= 0
            ? point.share()
            : below.share() + (point.share() - below.share()) * (streams - below.streams()) / gap;
      }
      below = point;
    }
    return below.share();
  }

  /** The number of streams at which throughput peaks. */
  public static int streamsAtPeak(DeviceSpec device) {
    if (device.readersAtPeak() > 0) {
      return device.readersAtPeak();
    }
    int best = 1;
    double bestShare = 1;
    for (CurvePoint point : device.curve()) {
      if (point.share() > bestShare) {
        best = point.streams();
        bestShare = point.share();
      }
    }
    return best;
  }
}
