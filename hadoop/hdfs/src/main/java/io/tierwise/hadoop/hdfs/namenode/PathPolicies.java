package io.tierwise.hadoop.hdfs.namenode;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/** The placement policy that holds for a file. */
interface PathPolicies {
  /**
   * Whether any file can be under a policy. Asked for every block: takes no lock and costs a few
   * nanoseconds. False is certain; true is not.
   */
  boolean mayManage();

  /** The same for the file at {@code path}, in less than a microsecond and without waiting. */
  boolean mayManage(String path);

  /**
   * The file at {@code path}, or null when stock HDFS is to decide.
   *
   * @param path as the NameNode hands it to its placement policy
   * @param occasion what targets are wanted for; the place of the block in its data set follows
   */
  ManagedFile resolve(String path, Occasion occasion);

  /**
   * The occasion for which targets are wanted.
   *
   * @param source the node whose replica is copied, or null when another one is live or none is
   *     copied
   * @param blockBytes the block's length, for a copy
   * @param live the live replicas
   * @param excluded nodes that must not be chosen, or null; for a copy all that have a replica
   */
  record Occasion(
      DecisionKind kind,
      DatanodeDescriptor source,
      long blockBytes,
      List<DatanodeStorageInfo> live,
      Set<Node> excluded) {
    /** An occasion where no more than that is known. */
    Occasion(DecisionKind kind, DatanodeDescriptor source, long blockBytes) {
      this(kind, source, blockBytes, List.of(), Set.of());
    }
  }

  /**
   * The same for a file whose replicas are being thinned out, or null. The thread holds the
   * namesystem's locks.
   */
  ManagedFile resolve(BlockCollection file);
}
