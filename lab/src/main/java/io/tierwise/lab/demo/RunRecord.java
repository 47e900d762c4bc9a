package io.tierwise.lab.demo;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.dfsio.BenchPlace;
import io.tierwise.lab.dfsio.DfsioComparison;
import io.tierwise.lab.dfsio.DfsioTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Where one run's tasks ran and where HDFS put its blocks. Nodes are numbered as in the cluster's
 * plan.
 *
 * @param writers node of each write task
 * @param readers node of each read task
 * @param blocks by task and block the block's replicas
 */
public record RunRecord(
    List<Integer> writers, List<Integer> readers, List<List<List<Replica>>> blocks) {
  /**
   * A replica of a block.
   *
   * @param tier index of its storage's tier
   */
  public record Replica(int node, int tier) {}

  /** Asks the NameNode. A replica that it does not know is left out. */
  public static RunRecord of(
      DfsioComparison.Files files,
      List<BenchPlace> places,
      TierConfiguration tiers,
      DistributedFileSystem admin)
      throws IOException {
    List<List<List<Replica>>> blocks = new ArrayList<>();
    for (DfsioTask task : files.writes()) {
      List<List<Replica>> ofFile = new ArrayList<>();
      for (LocatedBlock block :
          admin.getClient().getLocatedBlocks(task.path(), 0, task.bytes()).getLocatedBlocks()) {
        ofFile.add(replicas(block, places, tiers));
      }
      blocks.add(ofFile);
    }
    return new RunRecord(
        files.writes().stream().map(task -> places.indexOf(task.place())).toList(),
        files.reads().stream().map(task -> places.indexOf(task.place())).toList(),
        blocks);
  }

  private static List<Replica> replicas(
      LocatedBlock block, List<BenchPlace> places, TierConfiguration tiers) {
    DatanodeInfo[] nodes = block.getLocations();
    StorageType[] types = block.getStorageTypes();
    String[] storages = block.getStorageIDs();
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < nodes.length; i++) {
      int tier =
          tiers
              .matcher()
              .tierOf(types[i], nodes[i].getNetworkLocation(), nodes[i].getHostName(), storages[i]);
      replicas.add(new Replica(nodeOf(nodes[i].getHostName(), places), tier));
    }
    return replicas;
  }

  /** The number of the node of that name. */
  static int nodeOf(String hostName, List<BenchPlace> places) {
    for (int node = 0; node < places.size(); node++) {
      if (places.get(node).hostName().equals(hostName)) {
        return node;
      }
    }
    throw new IllegalStateException("node " + hostName + " is none of the cluster's");
  }
}
