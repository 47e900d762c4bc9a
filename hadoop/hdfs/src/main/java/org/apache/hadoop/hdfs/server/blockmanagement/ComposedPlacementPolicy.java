package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The placement class that a cluster had before ours: every decision is that class's, until a
 * subclass takes one over.
 *
 * <p>It extends {@link BlockPlacementPolicyDefault} because the Balancer refuses any other kind. If
 * the class cannot be loaded, one line says so, and Hadoop's default class decides: a NameNode that
 * does not start helps nobody.
 */
public abstract class ComposedPlacementPolicy extends BlockPlacementPolicyDefault {
  /** Hadoop's, or the cluster's own, placement class for files under no policy. */
  public static final String UNMANAGED_KEY = "tierwise.placement.unmanaged.classname";

  private static final Logger LOG = LoggerFactory.getLogger(ComposedPlacementPolicy.class);

  private BlockPlacementPolicy unmanaged;
  private BlockPlacementPolicyDefault unmanagedByDefault;

  protected ComposedPlacementPolicy() {}

  /** Decides for files under no policy. */
  public final BlockPlacementPolicy unmanaged() {
    return unmanaged;
  }

  @Override
  public void initialize(
      Configuration conf, FSClusterStats stats, NetworkTopology topology, Host2NodesMap hosts) {
    super.initialize(conf, stats, topology, hosts);
    warnOfStripedFiles(conf);
    BlockPlacementPolicy wanted;
    try {
      wanted = instanceFor(conf);
      wanted.initialize(conf, stats, topology, hosts);
    } catch (RuntimeException | LinkageError e) {
      LOG.error(
          "{} = {} cannot be used ({}): files under no policy are placed by {} until that is"
              + " mended",
          UNMANAGED_KEY,
          conf.get(UNMANAGED_KEY),
          causeOf(e),
          BlockPlacementPolicyDefault.class.getSimpleName());
      wanted = new BlockPlacementPolicyDefault();
      wanted.initialize(conf, stats, topology, hosts);
    }
    unmanaged = wanted;
    unmanagedByDefault = wanted instanceof BlockPlacementPolicyDefault ofDefault ? ofDefault : null;
    initialized(conf, stats != null);
  }

  /**
   * Called at the end of {@link #initialize}.
   *
   * @param inNameNode false in the tools that make a placement class of their own
   */
  protected void initialized(Configuration conf, boolean inNameNode) {}

  /** An instance cannot know for which of the two keys it was made. */
  private static void warnOfStripedFiles(Configuration conf) {
    String striped = conf.get(DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY);
    if (striped != null
        && striped.equals(conf.get(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY))) {
      LOG.warn(
          "{} = {}: striped files are under no policy, and would be placed as files of replicas"
              + " are; remove the key, or name a class that spreads over racks",
          DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
          striped);
    }
  }

  private BlockPlacementPolicy instanceFor(Configuration conf) {
    Class<? extends BlockPlacementPolicy> wanted =
        conf.getClass(UNMANAGED_KEY, BlockPlacementPolicyDefault.class, BlockPlacementPolicy.class);
    if (ComposedPlacementPolicy.class.isAssignableFrom(wanted)) {
      throw new IllegalArgumentException("it would hand each decision to itself");
    }
    return ReflectionUtils.newInstance(wanted, conf);
  }

  private static String causeOf(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null
        ? cause.getClass().getSimpleName()
        : cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnsChosen,
      Set<Node> excluded,
      long blockBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    return unmanaged.chooseTarget(
        path, replicas, writer, chosen, returnsChosen, excluded, blockBytes, storagePolicy, flags);
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnsChosen,
      Set<Node> excluded,
      long blockBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags,
      EnumMap<StorageType, Integer> storageTypes) {
    return unmanaged.chooseTarget(
        path,
        replicas,
        writer,
        chosen,
        returnsChosen,
        excluded,
        blockBytes,
        storagePolicy,
        flags,
        storageTypes);
  }

  /** A client that names its DataNodes gets them from the cluster's class, whatever the file. */
  @Override
  DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      Set<Node> excluded,
      long blockBytes,
      List<DatanodeDescriptor> favored,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    return favored == null || favored.isEmpty()
        ? super.chooseTarget(
            path, replicas, writer, excluded, blockBytes, favored, storagePolicy, flags)
        : unmanaged.chooseTarget(
            path, replicas, writer, excluded, blockBytes, favored, storagePolicy, flags);
  }

  @Override
  public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] nodes, int replicas) {
    return unmanaged.verifyBlockPlacement(nodes, replicas);
  }

  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    return unmanaged.chooseReplicasToDelete(
        available, candidates, expected, excessTypes, added, hint);
  }

  @Override
  public boolean isMovable(
      Collection<DatanodeInfo> locations, DatanodeInfo source, DatanodeInfo target) {
    return unmanaged.isMovable(locations, source, target);
  }

  @Override
  protected String getRack(DatanodeInfo node) {
    return unmanaged == null ? super.getRack(node) : unmanaged.getRack(node);
  }

  @Override
  public void setExcludeSlowNodesEnabled(boolean enable) {
    super.setExcludeSlowNodesEnabled(enable);
    unmanaged.setExcludeSlowNodesEnabled(enable);
  }

  @Override
  public void setMinBlocksForWrite(int blocks) {
    super.setMinBlocksForWrite(blocks);
    unmanaged.setMinBlocksForWrite(blocks);
  }

  @Override
  void setPreferLocalNode(boolean prefer) {
    super.setPreferLocalNode(prefer);
    if (unmanagedByDefault != null) {
      unmanagedByDefault.setPreferLocalNode(prefer);
    }
  }
}
