package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.ComposedPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's hook ({@code dfs.block.replicator.classname}): asks the policy of the path for
 * targets and for the replica to drop. For every path that has none the cluster's own placement
 * class decides ({@code tierwise.placement.unmanaged.classname}); that class and Hadoop's default
 * are what is called stock HDFS here.
 *
 * <p>It needs {@link TierwiseNameNodePlugin} in the same NameNode. Without it (in the Balancer, the
 * Mover and fsck, which make instances of their own, and until the plug-in has started) it is stock
 * HDFS as well. An error here is logged once and counted, and stock HDFS decides.
 */
public class TierwisePlacementPolicy extends ComposedPlacementPolicy implements Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(TierwisePlacementPolicy.class);

  private final OnceLog once = new OnceLog(LOG);
  private Configuration conf;

  /** With fewer targets for a new block HDFS refuses the write. */
  private int writtenMin = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT;

  private boolean preferLocal = true;
  private volatile PlacementHost host;
  private boolean ofBalancer;
  private MovesWithinTiers moves;

  public TierwisePlacementPolicy() {}

  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
    if (newConf != null) {
      preferLocal =
          newConf.getBoolean(
              DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY,
              DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_DEFAULT);
      writtenMin =
          newConf.getInt(
              DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
              DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT);
    }
  }

  /** A NameNode that shares its keys with another one but not the list of plug-ins. */
  @Override
  protected void initialized(Configuration of, boolean inNameNode) {
    ofBalancer = !inNameNode && MovesWithinTiers.isBalancer();
    Collection<String> plugins =
        of.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
    if (inNameNode && !plugins.contains(TierwiseNameNodePlugin.class.getName())) {
      LOG.warn(
          "{} does not name {}: this NameNode places all files, managed ones as well, by {}",
          DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY,
          TierwiseNameNodePlugin.class.getName(),
          unmanaged().getClass().getSimpleName());
    }
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void setExcludeSlowNodesEnabled(boolean enable) {
    super.setExcludeSlowNodesEnabled(enable);
    reconfigure(host);
  }

  @Override
  public void setMinBlocksForWrite(int blocks) {
    super.setMinBlocksForWrite(blocks);
    reconfigure(host);
  }

  private void reconfigure(PlacementHost of) {
    if (of != null) {
      of.admission().reconfigure(getExcludeSlowNodesEnabled(), getMinBlocksForWrite());
      of.admission().keepApart(ReplicaDomains.of(unmanaged(), conf));
    }
  }

  /** The host, once the plug-in has made it; null before, and in other processes. */
  private PlacementHost host() {
    PlacementHost known = host;
    if (known == null || !known.isOpen()) {
      known = PlacementHost.of(clusterMap);
      reconfigure(known);
      host = known;
    }
    return known;
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String srcPath,
      int numOfReplicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosenNodes,
      Set<Node> excludedNodes,
      long blocksize,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] targets =
        chooseByPolicy(
            srcPath,
            numOfReplicas,
            writer,
            chosen,
            returnChosenNodes,
            excludedNodes,
            blocksize,
            storagePolicy,
            flags);
    return targets != null
        ? targets
        : super.chooseTarget(
            srcPath,
            numOfReplicas,
            writer,
            chosen,
            returnChosenNodes,
            excludedNodes,
            blocksize,
            storagePolicy,
            flags);
  }

  /** The targets, or null when stock HDFS is to choose. */
  private DatanodeStorageInfo[] chooseByPolicy(
      String path,
      int replicaCount,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnsChosen,
      Set<Node> excluded,
      long blockBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    PlacementHost at = host();
    if (at == null || path == null || replicaCount <= 0) {
      return null;
    }
    try {
      // The cluster's tree is asked second: it takes a lock, and most files are under no policy.
      if (!at.paths().mayManage(path) || clusterMap.getNumOfLeaves() == 0) {
        return null;
      }
      DecisionKind kind = DecisionKind.of(chosen, returnsChosen, flags, writer, excluded);
      ClusterIndex index = at.views().current();
      boolean noneLive = kind == DecisionKind.RECONSTRUCTION && chosen.isEmpty();
      PathPolicies.Occasion occasion =
          new PathPolicies.Occasion(
              kind, noneLive ? (DatanodeDescriptor) writer : null, blockBytes, chosen, excluded);
      ManagedFile file = at.paths().resolve(path, occasion);
      if (file == null) {
        return null;
      }
      if (isSpecial(storagePolicy)) {
        at.counters().stock(StockReason.SPECIAL_STORAGE);
        return null;
      }
      if (kind == DecisionKind.NEW_BLOCK) {
        index = at.views().currentFor(blockBytes);
      }
      PlacementHost.Question question =
          new PlacementHost.Question(
              kind,
              replicaCount,
              writer,
              preferLocal,
              chosen,
              excluded,
              blockBytes,
              storagePolicy,
              avoided(flags, writer),
              kind == DecisionKind.NEW_BLOCK ? writtenMin : replicaCount);
      PlacementHost.Answer answer = at.decide(file, index, question);
      if (answer == null) {
        at.counters().stock(StockReason.SLOW);
        return null;
      }
      DatanodeStorageInfo[] found = answer.storages();
      int missing = replicaCount - answer.decision().async() - found.length;
      if (missing > 0) {
        found = fillByStock(at, path, question, found, missing, storagePolicy, flags);
      }
      return pipeline(writer, chosen, returnsChosen, found);
    } catch (Throwable e) {
      at.counters().stock(StockReason.ERROR);
      once.warn(
          PolicyFailure.kindOf(e) + " in placement",
          "Tierwise failed to place a block of " + path + "; stock HDFS places it: " + e,
          e);
      return null;
    }
  }

  /**
   * Files that HDFS keeps in memory first, and storage outside the cluster, have their own rules.
   */
  private static boolean isSpecial(BlockStoragePolicy storagePolicy) {
    byte id = storagePolicy.getId();
    return id == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()
        || id == HdfsConstants.StoragePolicy.PROVIDED.value();
  }

  private Avoid avoided(EnumSet<AddBlockFlag> flags, Node writer) {
    if (flags == null || writer == null) {
      return Avoid.NOTHING;
    }
    if (flags.contains(AddBlockFlag.NO_LOCAL_RACK) && clusterMap.getNumOfNonEmptyRacks() > 2) {
      return Avoid.WRITER_RACK;
    }
    return flags.contains(AddBlockFlag.NO_LOCAL_WRITE) ? Avoid.WRITER_NODE : Avoid.NOTHING;
  }

  /** Lets stock HDFS find what the policy did not, so that a write never fails because of it. */
  private DatanodeStorageInfo[] fillByStock(
      PlacementHost at,
      String path,
      PlacementHost.Question question,
      DatanodeStorageInfo[] found,
      int missing,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    at.counters().stock(StockReason.INCOMPLETE);
    List<DatanodeStorageInfo> taken = new ArrayList<>(question.existing());
    taken.addAll(Arrays.asList(found));
    Set<Node> excluded =
        question.excluded() == null ? new HashSet<>() : new HashSet<>(question.excluded());
    DatanodeStorageInfo[] rest =
        super.chooseTarget(
            path,
            missing,
            question.writer(),
            taken,
            false,
            excluded,
            question.blockBytes(),
            storagePolicy,
            flags);
    DatanodeStorageInfo[] all = Arrays.copyOf(found, found.length + rest.length);
    System.arraycopy(rest, 0, all, found.length, rest.length);
    return all;
  }

  private DatanodeStorageInfo[] pipeline(
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnsChosen,
      DatanodeStorageInfo[] found) {
    DatanodeStorageInfo[] targets = found;
    if (returnsChosen && !chosen.isEmpty()) {
      targets = chosen.toArray(new DatanodeStorageInfo[chosen.size() + found.length]);
      System.arraycopy(found, 0, targets, chosen.size(), found.length);
    }
    boolean inside = writer instanceof DatanodeDescriptor && clusterMap.contains(writer);
    Pipeline.sort(inside ? (DatanodeDescriptor) writer : null, targets);
    return targets;
  }

  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> availableReplicas,
      Collection<DatanodeStorageInfo> delCandidates,
      int expectedNumOfReplicas,
      List<StorageType> excessTypes,
      DatanodeDescriptor addedNode,
      DatanodeDescriptor delNodeHint) {
    PlacementHost at = host();
    if (at != null) {
      try {
        List<DatanodeStorageInfo> dropped =
            ExcessChoice.choose(
                at,
                delCandidates,
                expectedNumOfReplicas,
                delNodeHint,
                Time.monotonicNow() - heartbeatInterval * tolerateHeartbeatMultiplier);
        if (dropped != null) {
          return new PlacementRule(unmanaged())
              .mend(
                  dropped,
                  delCandidates,
                  expectedNumOfReplicas,
                  () ->
                      super.chooseReplicasToDelete(
                          availableReplicas,
                          delCandidates,
                          expectedNumOfReplicas,
                          excessTypes,
                          addedNode,
                          delNodeHint));
        }
      } catch (Throwable e) {
        at.counters().stock(StockReason.ERROR);
        once.warn(
            PolicyFailure.kindOf(e) + " in deletion",
            "Tierwise failed to choose a replica to drop; stock HDFS chooses it: " + e,
            e);
      }
    }
    return super.chooseReplicasToDelete(
        availableReplicas,
        delCandidates,
        expectedNumOfReplicas,
        excessTypes,
        addedNode,
        delNodeHint);
  }

  @Override
  public boolean isMovable(
      Collection<DatanodeInfo> locations, DatanodeInfo source, DatanodeInfo target) {
    return super.isMovable(locations, source, target) && moves().allows(source, target);
  }

  /** Made when a tool first asks: the NameNode never does. */
  private synchronized MovesWithinTiers moves() {
    if (moves == null) {
      moves = ofBalancer ? MovesWithinTiers.of(conf) : MovesWithinTiers.ALL;
    }
    return moves;
  }
}
