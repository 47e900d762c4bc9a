package io.tierwise.hadoop.hdfs.namenode;

import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.StorageTypeStats;

/** Statistics of a cluster whose load does not change: then the NameNode considers load. */
record SteadyClusterStats(int nodes, double averageTransfers) implements FSClusterStats {
  @Override
  public int getTotalLoad() {
    return 0;
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return false;
  }

  @Override
  public int getNumDatanodesInService() {
    return nodes;
  }

  @Override
  public double getInServiceXceiverAverage() {
    return averageTransfers;
  }

  @Override
  public double getInServiceXceiverAverageForVolume() {
    return averageTransfers;
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    return Map.of();
  }
}
