package io.tierwise.lab.testbed.plan;

import java.util.List;

/**
 * One node: a host name, an address, a rack and its volumes.
 *
 * @param name host name and name of its end of the link in the switch, for example {@code r1n2}
 * @param rack from 1; 0 is the NameNode, which stands at the core switch
 * @param address IPv4 address
 * @param volumes fastest first; none for the NameNode
 */
public record NodePlan(String name, int rack, String address, List<VolumePlan> volumes) {
  public NodePlan {
    volumes = List.copyOf(volumes);
  }

  public boolean isNameNode() {
    return rack == 0;
  }

  /** The location that HDFS's topology table gives the node. */
  public String networkLocation() {
    return rackLocation(rack);
  }

  /** The location of all nodes of a rack. */
  public static String rackLocation(int rack) {
    return "/rack" + rack;
  }
}
