package io.tierwise.simulator.scenario;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A scenario's tiers as policies see them: the same table that a NameNode reads from a file. */
public final class ScenarioTiers {
  /** Bytes of a random read in a {@link DeviceClass}. */
  private static final double RANDOM_READ_BYTES = 4096;

  private ScenarioTiers() {}

  /** The table. */
  public static TierTable table(Scenario scenario) {
    return table(scenario.tiers(), dataDevices(scenario.cluster()));
  }

  /** The table; {@code devices} by name, each that a tier names among them. */
  public static TierTable table(List<TierSpec> tiers, Map<String, DeviceSpec> devices) {
    List<String> names = tiers.stream().map(TierSpec::name).toList();
    List<Tier> table = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      List<Integer> fallback =
          tiers.get(i).fallback().isEmpty()
              ? TierTable.slowerThenFaster(i, tiers.size())
              : tiers.get(i).fallback().stream().map(names::indexOf).toList();
      DeviceSpec device = devices.get(tiers.get(i).device());
      if (device == null) {
        throw new IllegalArgumentException(
            "tier " + names.get(i) + ": no node has a data device '" + tiers.get(i).device() + "'");
      }
      table.add(new Tier(i, names.get(i), deviceClass(device), fallback));
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

  /**
   * A device class as a probe of the device would give it. Figures that the scenario leaves out
   * stay unknown: without a curve, and without a stated number of readers, storage-driven access
   * falls back to its paper's threshold, as it does for a class that nobody probed.
   */
  static DeviceClass deviceClass(DeviceSpec device) {
    int readersAtPeak = device.streamsAtPeak();
    double read = device.readBytesPerSecond();
    double randomReadSeconds = device.seekSeconds() + RANDOM_READ_BYTES / read;
    return new DeviceClass(
        device.name(),
        read,
        device.writeBytesPerSecond(),
        device.seekSeconds() > 0 ? 1 / randomReadSeconds : Double.NaN,
        readersAtPeak,
        readersAtPeak > 0 ? read * device.share(readersAtPeak) : Double.NaN,
        power(device));
  }

  /** No device transfers without power: 0 watts are those that nobody told. */
  private static Power power(DeviceSpec device) {
    return device.wattsActive() > 0
        ? new Power(device.wattsIdle(), device.wattsActive())
        : Power.UNKNOWN;
  }
}
