package io.tierwise.benchmarks.placement;

import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * The quality of a contender's decisions: speed is worth nothing without it.
 *
 * @param decisions looked at
 * @param complete with three replicas on three nodes
 * @param twoRacks in at least two racks
 * @param unusable targets that were overloaded (but not the writer's own node), decommissioning, in
 *     maintenance or stale
 */
record PlacementQuality(int decisions, int complete, int twoRacks, int unusable) {
  private static final int DECISIONS = 2000;

  /**
   * Asks the contender from every node in turn.
   *
   * @param someUnusable whether every tenth node of the cluster is unusable
   */
  static PlacementQuality of(Contender contender, BenchCluster cluster, boolean someUnusable) {
    int complete = 0;
    int twoRacks = 0;
    int unusable = 0;
    for (int i = 0; i < DECISIONS; i++) {
      DatanodeDescriptor writer = cluster.node(i % cluster.nodeCount());
      DatanodeStorageInfo[] targets = contender.place(writer);
      DatanodeDescriptor[] nodes =
          Arrays.stream(targets)
              .map(DatanodeStorageInfo::getDatanodeDescriptor)
              .toArray(DatanodeDescriptor[]::new);
      complete += Arrays.stream(nodes).distinct().count() == Contender.REPLICAS ? 1 : 0;
      twoRacks +=
          Arrays.stream(nodes).map(DatanodeDescriptor::getNetworkLocation).distinct().count() > 1
              ? 1
              : 0;
      for (DatanodeDescriptor node : nodes) {
        unusable += someUnusable && !node.equals(writer) && isUnusable(node) ? 1 : 0;
      }
    }
    return new PlacementQuality(DECISIONS, complete, twoRacks, unusable);
  }

  private static boolean isUnusable(DatanodeDescriptor node) {
    String uuid = node.getDatanodeUuid();
    return BenchCluster.isMadeUnusable(Integer.parseInt(uuid.substring(uuid.indexOf('-') + 1)));
  }

  boolean isFlawless() {
    return complete == decisions && twoRacks == decisions && unusable == 0;
  }

  @Override
  public String toString() {
    if (isFlawless()) {
      return "ok";
    }
    return String.format(
        Locale.ROOT,
        "%d short, %d in one rack, %d unusable",
        decisions - complete,
        decisions - twoRacks,
        unusable);
  }
}
