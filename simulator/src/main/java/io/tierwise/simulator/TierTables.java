package io.tierwise.simulator;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.simulator.cluster.Curves;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.TierSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tier table of a scenario, as a NameNode would hold it after a probe. */
public final class TierTables {
  private TierTables() {}

  public static TierTable of(Scenario scenario) {
    Map<String, DeviceSpec> devices = devicesOf(scenario);
    List<Tier> tiers = new ArrayList<>();
    List<String> names = scenario.tiers().stream().map(TierSpec::name).toList();
    for (TierSpec spec : scenario.tiers()) {
      DeviceSpec device = devices.get(spec.device());
      if (device == null) {
        throw new IllegalArgumentException(
            "tier " + spec.name() + ": no node has a data device '" + spec.device() + "'");
      }
      List<Integer> fallback =
          spec.fallback().isEmpty()
              ? TierTable.slowerThenFaster(tiers.size(), names.size())
              : spec.fallback().stream().map(names::indexOf).toList();
      tiers.add(new Tier(tiers.size(), spec.name(), classOf(device), fallback));
    }
    return TierTable.ofTiers(tiers);
  }

  private static DeviceClass classOf(DeviceSpec device) {
    int readersAtPeak = Curves.streamsAtPeak(device);
    return new DeviceClass(
        device.name(),
        device.readBytesPerSecond(),
        device.writeBytesPerSecond(),
        device.seekSeconds() > 0 ? 1 / device.seekSeconds() : Double.NaN,
        readersAtPeak,
        device.readBytesPerSecond() * Curves.share(device, readersAtPeak));
  }

  private static Map<String, DeviceSpec> devicesOf(Scenario scenario) {
    Map<String, DeviceSpec> devices = new LinkedHashMap<>();
    for (Rack rack : scenario.cluster().racks()) {
      for (NodeGroup group : rack.groups()) {
        for (VolumeGroup volumes : group.node().volumes()) {
          if (volumes.data()) {
            devices.put(volumes.device().name(), volumes.device());
          }
        }
      }
    }
    return devices;
  }
}
