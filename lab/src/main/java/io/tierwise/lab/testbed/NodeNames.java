package io.tierwise.lab.testbed;

import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.util.stream.Collectors;

/** Finds nodes by name or address, and racks by name, as a user types them. */
public final class NodeNames {
  private NodeNames() {}

  public static NodePlan require(TestbedPlan plan, String name) {
    return plan.node(name)
        .or(() -> plan.nodes().stream().filter(node -> node.address().equals(name)).findFirst())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no node is named \"" + name + "\"; the testbed has: " + names(plan)));
  }

  private static String names(TestbedPlan plan) {
    return plan.nodes().stream().map(NodePlan::name).collect(Collectors.joining(", "));
  }

  /** The number of a rack given as {@code rack2}; 0 when it is none. */
  public static int rack(TestbedPlan plan, String name) {
    if (!name.matches("rack[0-9]{1,2}")) {
      return 0;
    }
    int rack = Integer.parseInt(name.substring("rack".length()));
    if (rack < 1 || rack > plan.racks()) {
      throw new IllegalArgumentException(
          "no rack is named \"" + name + "\"; the testbed has rack1 to rack" + plan.racks());
    }
    return rack;
  }
}
