package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the section {@code faults}; what breaks must exist. */
final class FaultReader {
  private static final Pattern NODE = Pattern.compile("node-(0|[1-9][0-9]{0,6})");
  private static final Pattern DEVICE = Pattern.compile("(.+)/(0|[1-9][0-9]{0,3})");
  private static final List<String> TARGETS = List.of("node", "rack", "device", "link");

  private final ClusterSpec cluster;

  FaultReader(ClusterSpec cluster) {
    this.cluster = cluster;
  }

  List<FaultSpec> read(List<Place> items) {
    List<FaultSpec> faults = new ArrayList<>();
    for (Place item : items) {
      faults.add(fault(Fields.of(item, ScenarioKeys.FAULT)));
    }
    return faults;
  }

  private FaultSpec fault(Fields fields) {
    List<String> given = TARGETS.stream().filter(fields::has).toList();
    if (given.size() != 1) {
      throw fields.place().error("give exactly one of " + String.join(", ", TARGETS));
    }
    String target = given.get(0);
    requireExists(target, fields.at(target));
    double at = fields.measure("at");
    double until = fields.has("until") ? fields.measure("until") : Double.POSITIVE_INFINITY;
    if (until <= at) {
      throw fields.at("until").wrong("is not after at");
    }
    boolean slow = fields.has("slow");
    if (slow) {
      requireUplink(target, fields.at(target));
    }
    return new FaultSpec(
        at,
        Target.valueOf(target.toUpperCase(java.util.Locale.ROOT)),
        fields.text(target),
        slow ? Kind.SLOW : Kind.FAIL,
        slow ? fields.number("slow") : 0,
        until);
  }

  private void requireExists(String target, Place place) {
    String name = place.text();
    boolean exists =
        switch (target) {
          case "node" -> node(name) != null;
          case "rack" -> isRack(name);
          case "device" -> isDevice(name);
          default -> node(name) != null || isRack(name);
        };
    if (!exists) {
      throw place.wrong("does not exist; " + known(target));
    }
    if (target.equals("link") && node(name) != null && isRack(name)) {
      throw place.wrong(
          "is a node and a rack: write node: or rack: instead of link:, which means the same");
    }
  }

  /** A rack is slow by its uplink: without one there is nothing that could be slower. */
  private void requireUplink(String target, Place place) {
    boolean namesRack = target.equals("rack") || target.equals("link");
    boolean unlimited =
        cluster.racks().stream()
            .filter(rack -> namesRack && rack.name().equals(place.text()))
            .anyMatch(rack -> Double.isInfinite(rack.uplinkBytesPerSecond()));
    if (unlimited) {
      throw place.wrong("has no uplink that could be slower: give the rack an uplink");
    }
  }

  private String known(String target) {
    String nodes = "node-0 to node-" + (nodeCount() - 1);
    List<String> names = cluster.racks().stream().map(Rack::name).toList();
    String racks =
        "racks: "
            + (names.size() <= 8
                ? String.join(", ", names)
                : names.get(0) + " to " + names.get(names.size() - 1));
    return switch (target) {
      case "node" -> "known: " + nodes;
      case "rack" -> racks;
      case "device" -> "write node-3/0: " + nodes + ", then the volume's number on its node";
      default -> "known: " + nodes + ", " + racks;
    };
  }

  private boolean isRack(String name) {
    return cluster.racks().stream().anyMatch(rack -> rack.name().equals(name));
  }

  private boolean isDevice(String name) {
    Matcher device = DEVICE.matcher(name);
    if (!device.matches()) {
      return false;
    }
    NodeSpec node = node(device.group(1));
    return node != null
        && Integer.parseInt(device.group(2))
            < node.volumes().stream().mapToInt(VolumeGroup::count).sum();
  }

  private long nodeCount() {
    return cluster.racks().stream()
        .flatMap(rack -> rack.groups().stream())
        .mapToLong(NodeGroup::count)
        .sum();
  }

  /** The node of that name, or null. */
  private NodeSpec node(String name) {
    Matcher matcher = NODE.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    long left = Long.parseLong(matcher.group(1));
    for (Rack rack : cluster.racks()) {
      for (NodeGroup group : rack.groups()) {
        if (left < group.count()) {
          return group.node();
        }
        left -= group.count();
      }
    }
    return null;
  }
}
