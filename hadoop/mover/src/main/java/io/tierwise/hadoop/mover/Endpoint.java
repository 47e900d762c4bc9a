package io.tierwise.hadoop.mover;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * A volume as HDFS knows it.
 *
 * @param node its DataNode
 * @param tier the tier's index, or {@code TierTable.NONE}
 */
record Endpoint(DatanodeInfo node, String storageId, StorageType type, int tier) {
  String nodeId() {
    return node.getDatanodeUuid();
  }

  /** How the volume is found again in another snapshot of the cluster. */
  String key() {
    return key(nodeId(), storageId);
  }

  static String key(String nodeId, String storageId) {
    return nodeId + " " + storageId;
  }
}
