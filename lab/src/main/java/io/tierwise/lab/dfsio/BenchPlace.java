package io.tierwise.lab.dfsio;

import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Where a task runs, as the NameNode knows the place.
 *
 * @param hostName name of the node
 * @param address IP address of the node; the DataNode with the same address is local
 * @param rack network location; empty when the place is no node of the cluster
 */
public record BenchPlace(String hostName, String address, String rack) {
  /** How far a DataNode is from a reader. */
  public enum Distance {
    LOCAL,
    RACK,
    REMOTE
  }

  /** How far that DataNode is from here. */
  public Distance to(DatanodeInfo node) {
    if (node.getIpAddr().equals(address)) {
      return Distance.LOCAL;
    }
    return node.getNetworkLocation().equals(rack) ? Distance.RACK : Distance.REMOTE;
  }
}
