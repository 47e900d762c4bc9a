package io.tierwise.hadoop.hdfs.namenode;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * The occasion for which the NameNode asks for targets. It does not say which; its arguments tell.
 *
 * <p>A copy is recognised by its source as well: no replica is live when all holders are being
 * decommissioned, but the source, which stands where a writer would, holds one and is excluded.
 */
enum DecisionKind {
  /** A client adds a block to a file. */
  NEW_BLOCK,
  /** A client replaces a DataNode in the pipeline of the file's last block. */
  PIPELINE_REPAIR,
  /** The NameNode copies a block that has too few replicas. */
  RECONSTRUCTION,
  /** WebHDFS asks for a DataNode that will write for the client; no block is added. */
  GATEWAY;

  static DecisionKind of(
      List<DatanodeStorageInfo> chosen,
      boolean returnsChosen,
      EnumSet<AddBlockFlag> flags,
      Node writer,
      Set<Node> excluded) {
    if (returnsChosen) {
      return PIPELINE_REPAIR;
    }
    if (!chosen.isEmpty()) {
      return RECONSTRUCTION;
    }
    if (flags != null) {
      return NEW_BLOCK;
    }
    boolean copies =
        writer instanceof DatanodeDescriptor && excluded != null && excluded.contains(writer);
    return copies ? RECONSTRUCTION : GATEWAY;
  }
}
