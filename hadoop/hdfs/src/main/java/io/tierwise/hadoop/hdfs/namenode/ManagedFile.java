package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * A file that is under a placement policy, at the moment of a decision.
 *
 * @param policy the policy that holds for it
 * @param file what the policy may know of it
 * @param path for messages
 * @param limitedTypes storage types with a quota of their own above the file
 * @param byteLimits what directories above the file have on tiers that are limited there
 * @param sources storages one of which holds the replica to copy when none is live; else empty
 * @param waiting storages that hold replicas on nodes in maintenance, as far as that is known
 */
record ManagedFile(
    PlacementPolicy policy,
    FileView file,
    String path,
    Set<StorageType> limitedTypes,
    List<TierBytes.Use> byteLimits,
    List<DatanodeStorageInfo> sources,
    List<DatanodeStorageInfo> waiting) {
  /** A file under no quota of a storage type and no limit in bytes. */
  ManagedFile(
      PlacementPolicy policy, FileView file, String path, List<DatanodeStorageInfo> sources) {
    this(policy, file, path, Set.of(), List.of(), sources, List.of());
  }
}
