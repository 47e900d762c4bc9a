package io.tierwise.simulator.scenario;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A scenario's tiers as policies see them: the same table that a NameNode reads from a file. */
public final class ScenarioTiers {
  private ScenarioTiers() {}

  /** The table. */
  public static TierTable table(Scenario scenario) {
    return table(scenario.tiers(), dataDevices(scenario.cluster()));
  }

  /**
   * The table.
   *
   * @param devices by name; at least those that the tiers name
   */
  public static TierTable table(List<TierSpec> tiers, Map<String, DeviceSpec> devices) {
    List<String> names = tiers.stream().map(TierSpec::name).toList();
    List<Tier> table = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      List<Integer> fallback =
          tiers.get(i).fallback().isEmpty()
              ? TierTable.slowerThenFaster(i, tiers.size())
              : tiers.get(i).fallback().stream().map(names::indexOf).toList();
      table.add(
          new Tier(i, names.get(i), deviceClass(devices.get(tiers.get(i).device())), fallback));
    }
    return TierTable.ofTiers(table);
  }

  /** The device classes that hold data, by name, in the order of the cluster. */
  public static Map<String, DeviceSpec> dataDevices(ClusterSpec cluster) {
    Map<String, DeviceSpec> devices = new LinkedHashMap<>();
    for (ClusterSpec.Rack rack : cluster.racks()) {
      for (ClusterSpec.NodeGroup group : rack.groups()) {
        for (ClusterSpec.VolumeGroup volumes : group.node().volumes()) {
          if (volumes.data()) {
            devices.put(volumes.device().name(), volumes.device());
          }
        }
      }
    }
    return devices;
  }

  /** A device class with the stream count at which its curve peaks; unknown without a curve. */
  static DeviceClass deviceClass(DeviceSpec device) {
    CurvePoint peak = null;
    for (CurvePoint point : device.curve()) {
      if (peak == null || point.share() > peak.share()) {
        peak = point;
      }
    }
    return new DeviceClass(
        device.name(),
        device.readBytesPerSecond(),
        device.writeBytesPerSecond(),
        Double.NaN,
        peak == null ? 0 : peak.streams(),
        peak == null ? Double.NaN : device.readBytesPerSecond() * peak.share());
  }
}
