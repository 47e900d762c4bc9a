package io.tierwise.hadoop.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The regions of files: the first level of the topology. */
final class FileRegions {
  private FileRegions() {}

  static String of(DatanodeInfo node) {
    return node.getNetworkLocation().split("/")[1];
  }

  /** Where each block's replicas stand, such as {A=1, C=1}. */
  static List<Map<String, Integer>> of(TieredCluster cluster, Path file) throws IOException {
    List<Map<String, Integer>> ofBlocks = new ArrayList<>();
    for (LocatedBlock block : cluster.blocks(file)) {
      Map<String, Integer> replicas = new TreeMap<>();
      for (DatanodeInfo node : block.getLocations()) {
        replicas.merge(of(node), 1, Integer::sum);
      }
      ofBlocks.add(replicas);
    }
    return ofBlocks;
  }

  /** The address of a live node there. */
  static String nodeIn(String region, TieredCluster cluster) throws IOException {
    for (DatanodeInfo node : cluster.files().getDataNodeStats()) {
      if (of(node).equals(region)) {
        return node.getXferAddr();
      }
    }
    throw new AssertionError("no node in " + region);
  }
}
