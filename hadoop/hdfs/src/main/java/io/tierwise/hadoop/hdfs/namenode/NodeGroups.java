package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * HDFS's level below racks, where the NameNode's tree has it. Policies know racks alone: a node of
 * its group stands for a writer that runs beside no DataNode.
 */
final class NodeGroups {
  private NodeGroups() {}

  /**
   * A node of that group, each with the same chance. Goes through the nodes of one rack.
   *
   * @param rack that the group is in
   * @param location the group's network location
   * @return {@link ClusterView#NONE} where the group has no node
   */
  static int draw(ClusterIndex index, int rack, String location, RandomGenerator random) {
    int node = Arrays.binarySearch(index.nodeRacks, rack);
    while (node > 0 && index.nodeRacks[node - 1] == rack) {
      node--;
    }
    int drawn = ClusterView.NONE;
    int found = 0;
    for (; node >= 0 && node < index.nodes.length && index.nodeRacks[node] == rack; node++) {
      if (index.nodes[node].getNetworkLocation().equals(location) && random.nextInt(++found) == 0) {
        drawn = node;
      }
    }
    return drawn;
  }
}
