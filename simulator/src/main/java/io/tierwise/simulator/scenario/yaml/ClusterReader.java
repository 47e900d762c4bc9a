package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Prices;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the sections {@code cluster} and {@code tiers}. */
final class ClusterReader {
  private static final int TIERS_MAX = 63;

  private final Hardware hardware;

  ClusterReader(Hardware hardware) {
    this.hardware = hardware;
  }

  ClusterSpec cluster(Fields fields) {
    List<Rack> racks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    long nodes = 0;
    for (Place place : fields.items("racks")) {
      Fields rackFields = Fields.of(place, ScenarioKeys.RACK);
      for (Rack rack : racks(rackFields, racks.size())) {
        if (!names.add(rack.name())) {
          throw (rackFields.has("name") ? rackFields.at("name") : place)
              .error("two racks are named \"" + rack.name() + "\"");
        }
        nodes += rack.groups().stream().mapToLong(NodeGroup::count).sum();
        racks.add(rack);
      }
      if (nodes > ScenarioKeys.NODES_MAX) {
        throw place.error(
            "the cluster has more than " + ScenarioKeys.NODES_MAX + " nodes, which is the most");
      }
    }
    if (racks.isEmpty()) {
      throw fields.at("racks").error("names no rack: a cluster has at least one");
    }
    ClusterSpec cluster =
        new ClusterSpec(
            racks,
            fields.measure("region-uplink"),
            fields.measure("latency"),
            new Prices(fields.measure("port-price"), fields.measure("kwh-price")));
    requireSlots(fields, cluster);
    return cluster;
  }

  private static void requireSlots(Fields fields, ClusterSpec cluster) {
    boolean runsMaps =
        cluster.racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .anyMatch(group -> group.node().mapSlots() > 0);
    if (!runsMaps) {
      throw fields.at("racks").error("no node has map-slots: nothing could run");
    }
  }

  private List<Rack> racks(Fields fields, int before) {
    int count = fields.intCount("count");
    String name = fields.has("name") ? fields.name("name") : "rack";
    boolean numbered = count > 1 || !fields.has("name");
    List<NodeGroup> groups = new ArrayList<>();
    for (Place item : fields.items("nodes")) {
      groups.add(group(item));
    }
    if (groups.isEmpty()) {
      throw fields.at("nodes").error("names no node: a rack has at least one");
    }
    List<Rack> racks = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      int number = fields.has("name") ? i : before + i;
      racks.add(
          new Rack(
              numbered ? name + "-" + number : name,
              fields.name("region"),
              fields.measure("uplink"),
              groups));
    }
    return racks;
  }

  private NodeGroup group(Place item) {
    if (item.isText()) {
      return new NodeGroup(hardware.kind(item), 1);
    }
    Fields fields = Fields.of(item, ScenarioKeys.GROUP);
    return new NodeGroup(hardware.kind(fields.at("kind")), fields.intCount("count"));
  }

  /** The tiers; each class that holds data is in exactly one. */
  List<TierSpec> tiers(Fields document, ClusterSpec cluster) {
    Map<String, DeviceSpec> devices = ScenarioTiers.dataDevices(cluster);
    if (devices.isEmpty()) {
      throw document.at("cluster").error("no volume has data: true: nothing could be stored");
    }
    if (!document.has("tiers")) {
      return devices.values().stream()
          .sorted(
              Comparator.comparingDouble(DeviceSpec::readBytesPerSecond)
                  .reversed()
                  .thenComparing(DeviceSpec::name))
          .map(device -> new TierSpec(device.name(), device.name(), List.of()))
          .toList();
    }
    List<Place> items = document.items("tiers");
    if (items.size() > TIERS_MAX) {
      throw document.at("tiers").error("names " + items.size() + " tiers, at most " + TIERS_MAX);
    }
    List<Fields> fields = items.stream().map(ClusterReader::tierFields).toList();
    List<String> names = new ArrayList<>();
    Set<String> used = new HashSet<>();
    for (Fields tier : fields) {
      names.add(tierName(tier, names));
      requireDevice(tier.at("device"), devices, used);
    }
    for (String device : devices.keySet()) {
      if (!used.contains(device)) {
        throw document
            .at("tiers")
            .error("the device class " + device + " holds data but is in no tier: add one for it");
      }
    }
    List<TierSpec> tiers = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      tiers.add(
          new TierSpec(
              names.get(i), fields.get(i).text("device"), fallback(fields.get(i), i, names)));
    }
    return tiers;
  }

  private static Fields tierFields(Place item) {
    Place place =
        item.isText()
            ? new Place(
                new Entries(item.value().origin(), Map.of("device", item.value())), item.path())
            : item;
    return Fields.of(place, ScenarioKeys.TIER);
  }

  private static String tierName(Fields tier, List<String> before) {
    Place place = tier.has("name") ? tier.at("name") : tier.at("device");
    String name = Fields.name(place);
    if (before.contains(name)) {
      throw place.error("two tiers are named \"" + name + "\"");
    }
    if (name.equals("any")) {
      throw place.wrong("is no tier name: layouts use it for any tier");
    }
    return name;
  }

  private void requireDevice(Place place, Map<String, DeviceSpec> devices, Set<String> used) {
    DeviceSpec device = hardware.device(place);
    if (!devices.containsKey(device.name())) {
      throw place.wrong(
          "holds data on no node: a tier needs a device; classes with data: "
              + String.join(", ", devices.keySet()));
    }
    if (!used.add(device.name())) {
      throw place.wrong("is in two tiers: a device class is in one");
    }
  }

  private static List<String> fallback(Fields tier, int self, List<String> names) {
    List<String> order = new ArrayList<>();
    for (Place item : tier.items("fallback")) {
      String name = item.text();
      if (!names.contains(name) || names.indexOf(name) == self || order.contains(name)) {
        List<String> others = names.stream().filter(o -> names.indexOf(o) != self).toList();
        throw item.wrong("is no other tier, each once" + Nearest.hint(name, others));
      }
      order.add(name);
    }
    return order;
  }
}
