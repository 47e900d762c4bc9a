package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.policies.placement.PlacementPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * A file and what its blocks should become.
 *
 * @param path for people: the file may have another name by now
 * @param wanted the policy whose layout its blocks should have
 * @param deletion what decides, when a block has a replica too many, which goes
 * @param inForce the policy that the file is under, as it stands there; null for none
 * @param kept replicas that a snapshot keeps of its blocks, beyond those that it wants; else 0
 * @param storagePolicy HDFS's storage policy that it will have by then; null for that of its status
 */
record FileToMove(
    String path,
    HdfsLocatedFileStatus status,
    PlacementPolicy wanted,
    Deletion deletion,
    String inForce,
    int kept,
    String storagePolicy) {
  FileToMove(
      String path,
      HdfsLocatedFileStatus status,
      PlacementPolicy wanted,
      Deletion deletion,
      String inForce) {
    this(path, status, wanted, deletion, inForce, 0, null);
  }

  /** The class that decides which of too many replicas goes. */
  enum Deletion {
    /** The plug-in, by the very policy that the blocks should have. */
    BY_WANTED_POLICY,
    /** The plug-in, by another policy, which the blocks would be brought back to. */
    BY_OTHER_POLICY,
    /** HDFS, by the file's storage policy. */
    BY_STORAGE_POLICY;

    /**
     * @param inForce the policy that the file is under; null for stock HDFS
     */
    static Deletion of(boolean pluginRuns, PlacementPolicy inForce, PlacementPolicy wanted) {
      if (!pluginRuns || inForce == null) {
        return BY_STORAGE_POLICY;
      }
      return inForce.name().equals(wanted.name()) ? BY_WANTED_POLICY : BY_OTHER_POLICY;
    }
  }

  FileToMove at(HdfsLocatedFileStatus now) {
    return new FileToMove(path, now, wanted, deletion, inForce, kept, storagePolicy);
  }

  /** How many replicas HDFS keeps of each of its blocks, as its status is now. */
  int replicas() {
    return Math.max(status.getReplication(), kept);
  }

  /**
   * A path that survives a renaming of the file: by its id, or in a snapshot, which HDFS does not
   * know by ids, by its name there.
   */
  String lastingPath() {
    return lastingPath(path, status.getFileId());
  }

  /** The same of a file that had such a name. */
  static String lastingPath(String path, long fileId) {
    return NamespaceWalk.isInSnapshots(path) ? path : InodePath.of(fileId);
  }
}
