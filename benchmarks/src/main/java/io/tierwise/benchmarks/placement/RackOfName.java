package io.tierwise.benchmarks.placement;

import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/** Reads a node's network location from its host name: {@code n7.flat} is the 8th node. */
public class RackOfName implements DNSToSwitchMapping {
  static String hostName(int node, TreeShape shape) {
    return "n" + node + "." + shape.label();
  }

  @Override
  public List<String> resolve(List<String> names) {
    return names.stream().map(RackOfName::locationOf).toList();
  }

  private static String locationOf(String name) {
    for (TreeShape shape : TreeShape.values()) {
      if (name.startsWith("n") && name.endsWith("." + shape.label())) {
        return shape.locationOf(Integer.parseInt(name.substring(1, name.indexOf('.'))));
      }
    }
    return NetworkTopology.DEFAULT_RACK;
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
