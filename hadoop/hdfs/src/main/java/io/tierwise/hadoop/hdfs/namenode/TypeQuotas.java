package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementRequest.Allowance;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.DirectoryWithQuotaFeature;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.QuotaCounts;
import org.apache.hadoop.hdfs.util.EnumCounters;

/**
 * Quotas of single storage types above a file, and what they leave to a block of it.
 *
 * <p>HDFS charges such a quota when a block is allocated, by the storage types of the file's
 * storage policy, not by where replicas stand. So a type with a quota gets as many replicas of a
 * block as the storage policy puts there: those are charged, and HDFS itself ends the write when
 * they are too many. All others would be free of charge, and are refused.
 */
final class TypeQuotas {
  private static final List<StorageType> TYPES = StorageType.getTypesSupportingQuota();

  /** Null where Hadoop no longer has it. The public way copies all counts of the directory. */
  private static final MethodHandle LIMITS_TYPES = limitsTypes();

  private TypeQuotas() {}

  private static MethodHandle limitsTypes() {
    try {
      return MethodHandles.privateLookupIn(DirectoryWithQuotaFeature.class, MethodHandles.lookup())
          .findVirtual(
              DirectoryWithQuotaFeature.class,
              "isQuotaByStorageTypeSet",
              MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** The storage types that a directory among {@code inodes} limits. Under the FS lock. */
  static Set<StorageType> above(INode[] inodes) {
    Set<StorageType> limited = Collections.emptySet();
    for (INode inode : inodes) {
      if (inode != null && inode.isDirectory()) {
        DirectoryWithQuotaFeature quota = inode.asDirectory().getDirectoryWithQuotaFeature();
        // The root always has one.
        if (quota != null && mayLimitTypes(quota)) {
          limited = with(inode.getQuotaCounts(), limited);
        }
      }
    }
    return limited;
  }

  private static boolean mayLimitTypes(DirectoryWithQuotaFeature quota) {
    try {
      return LIMITS_TYPES == null || (boolean) LIMITS_TYPES.invokeExact(quota);
    } catch (Throwable e) {
      throw new IllegalStateException("a getter of DirectoryWithQuotaFeature failed", e);
    }
  }

  private static Set<StorageType> with(QuotaCounts quota, Set<StorageType> limited) {
    if (!quota.anyTypeSpaceCountGreaterOrEqual(0)) {
      return limited;
    }
    Set<StorageType> more = limited.isEmpty() ? EnumSet.noneOf(StorageType.class) : limited;
    EnumCounters<StorageType> spaces = quota.getTypeSpaces();
    for (StorageType type : TYPES) {
      if (spaces.get(type) >= 0) {
        more.add(type);
      }
    }
    return more;
  }

  /** The replicas of a block of the file that may go to the limited types. */
  static Allowance allowance(
      ManagedFile file, PlacementHost.Question question, ClusterIndex index) {
    if (file.limitedTypes().isEmpty()) {
      return Allowance.UNLIMITED;
    }
    int replicas =
        Math.max(file.file().replicaCount(), question.existing().size() + question.replicaCount());
    Map<StorageType, Integer> left = new EnumMap<>(StorageType.class);
    for (StorageType type : question.storagePolicy().chooseStorageTypes((short) replicas)) {
      left.merge(type, 1, Integer::sum);
    }
    for (DatanodeStorageInfo storage : question.existing()) {
      left.merge(storage.getStorageType(), -1, Integer::sum);
    }
    return new ByType(file.limitedTypes(), left, index);
  }

  private record ByType(
      Set<StorageType> limited, Map<StorageType, Integer> left, ClusterIndex index)
      implements Allowance {
    @Override
    public int limitOf(int volume) {
      StorageType type = index.volumes[volume].getStorageType();
      return limited.contains(type) ? TYPES.indexOf(type) : ClusterView.NONE;
    }

    @Override
    public int replicasLeft(int limit) {
      return left.getOrDefault(TYPES.get(limit), 0);
    }
  }
}
