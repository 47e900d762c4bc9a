package io.tierwise.hadoop.hdfs.namenode;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * The order in which a block travels through its targets: always to the nearest one left, starting
 * at the writer, as in stock HDFS. Distances come from the nodes' location strings, not from the
 * topology, whose answers sit behind a lock.
 */
final class Pipeline {
  private Pipeline() {}

  /**
   * Sorts {@code targets} in place.
   *
   * @param writer the writer's node in the cluster, or null: then the first target counts as one
   */
  static void sort(DatanodeDescriptor writer, DatanodeStorageInfo[] targets) {
    if (targets.length == 0) {
      return;
    }
    DatanodeDescriptor from = writer != null ? writer : targets[0].getDatanodeDescriptor();
    for (int at = 0; at < targets.length; at++) {
      int nearest = at;
      int nearestHops = hops(from, targets[at].getDatanodeDescriptor());
      for (int i = at + 1; i < targets.length; i++) {
        int hops = hops(from, targets[i].getDatanodeDescriptor());
        if (hops < nearestHops) {
          nearest = i;
          nearestHops = hops;
        }
      }
      DatanodeStorageInfo target = targets[nearest];
      targets[nearest] = targets[at];
      targets[at] = target;
      from = target.getDatanodeDescriptor();
    }
  }

  /** Edges between the two nodes in the tree that their locations spell. */
  private static int hops(DatanodeDescriptor a, DatanodeDescriptor b) {
    String left = a.getNetworkLocation();
    String right = b.getNetworkLocation();
    if (left.equals(right)) {
      return a.equals(b) ? 0 : 2;
    }
    int common = commonPrefix(left, right);
    return 2 + levels(left, common) + levels(right, common);
  }

  /**
   * Where the two locations part: the slash before the first level that differs. HDFS has all nodes
   * at one depth, so that none lies below another.
   */
  private static int commonPrefix(String left, String right) {
    int slash = 0;
    int end = Math.min(left.length(), right.length());
    int i = 0;
    while (i < end && left.charAt(i) == right.charAt(i)) {
      if (left.charAt(i) == '/') {
        slash = i;
      }
      i++;
    }
    return slash;
  }

  private static int levels(String location, int from) {
    int levels = 0;
    for (int i = from; i < location.length(); i++) {
      if (location.charAt(i) == '/') {
        levels++;
      }
    }
    return levels;
  }
}
