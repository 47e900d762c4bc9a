package io.tierwise.hadoop.mover;

import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.policies.movement.EngineRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;

/**
 * HDFS's rules for the move of a block.
 *
 * <p>Inside a node a DataNode moves a replica to another storage type only. Between nodes the copy
 * is a replica too many, and the NameNode drops one: the one that the move names only when the
 * file's policy, or its storage policy, wants that one less than others. Before it copies, a
 * DataNode wants a whole block of {@code dfs.blocksize} free, however small this one is.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code FsDatasetImpl.moveBlockAcrossStorage}, {@code
 * BlockPlacementPolicyDefault.useDelHint}, {@code DataXceiver.replaceBlock} (estimateBlockSize).
 */
final class HdfsRules implements EngineRules {
  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  private final ClusterSnapshot cluster;
  private final FileToMove file;
  private final StorageType[] types;
  private final Set<String> failed = new HashSet<>();
  private final Set<String> unreadable = new HashSet<>();
  private Predicate<Endpoint> avoided = volume -> false;

  HdfsRules(ClusterSnapshot cluster, FileToMove file, LocatedBlock block) {
    this.cluster = cluster;
    this.file = file;
    this.types = block.getStorageTypes();
  }

  /** Takes back the permission for moves that failed before. */
  HdfsRules without(Set<String> targets, Set<String> sources) {
    failed.addAll(targets);
    unreadable.addAll(sources);
    return this;
  }

  /** Reads nothing from such volumes; that they take nothing is the view's matter. */
  HdfsRules avoiding(Predicate<Endpoint> volumes) {
    avoided = volumes;
    return this;
  }

  /** Reads none of these replicas while the block has another one that can be read. */
  HdfsRules readingLast(Set<String> sources, int[] volumes) {
    boolean others =
        Arrays.stream(volumes)
            .filter(volume -> volume != ClusterView.NONE && canRead(volume))
            .anyMatch(volume -> !sources.contains(cluster.endpoint(volume).key()));
    if (others) {
      unreadable.addAll(sources);
    }
    return this;
  }

  @Override
  public boolean movesInside(int from, int to) {
    Endpoint source = cluster.endpoint(from);
    return source.type() != cluster.endpoint(to).type() && !avoided.test(source) && mayGoTo(to);
  }

  @Override
  public boolean keepsCopy(int from, int to) {
    if (!mayGoTo(to)) {
      return false;
    }
    if (file.deletion() != Deletion.BY_STORAGE_POLICY) {
      return file.deletion() == Deletion.BY_WANTED_POLICY;
    }
    BlockStoragePolicy policy =
        file.storagePolicy() == null
            ? SUITE.getPolicy(orUsual(file.status().getStoragePolicy()))
            : SUITE.getPolicy(file.storagePolicy());
    if (policy == null) {
      policy = SUITE.getPolicy(cluster.storagePolicy());
    }
    List<StorageType> after = new ArrayList<>(List.of(types));
    after.add(cluster.endpoint(to).type());
    return policy
        .chooseExcess((short) file.replicas(), after)
        .contains(cluster.endpoint(from).type());
  }

  /** A file without a policy has that of its HDFS: the suite here knows HDFS's default alone. */
  private byte orUsual(byte storagePolicy) {
    return storagePolicy == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
        ? cluster.storagePolicy()
        : storagePolicy;
  }

  @Override
  public boolean canRead(int volume) {
    Endpoint source = cluster.endpoint(volume);
    return !unreadable.contains(source.key()) && !avoided.test(source);
  }

  @Override
  public long roomForCopyBytes(long blockBytes) {
    return Math.max(blockBytes, cluster.copyRoomBytes());
  }

  private boolean mayGoTo(int volume) {
    return !failed.contains(cluster.endpoint(volume).key());
  }
}
