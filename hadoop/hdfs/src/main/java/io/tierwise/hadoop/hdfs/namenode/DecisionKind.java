package io.tierwise.hadoop.hdfs.namenode;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** What the NameNode asks targets for; it does not say so and is recognised by its arguments. */
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
      List<DatanodeStorageInfo> chosen, boolean returnsChosen, EnumSet<AddBlockFlag> flags) {
    if (returnsChosen) {
      return PIPELINE_REPAIR;
    }
    if (!chosen.isEmpty()) {
      return RECONSTRUCTION;
    }
    return flags == null ? GATEWAY : NEW_BLOCK;
  }
}
