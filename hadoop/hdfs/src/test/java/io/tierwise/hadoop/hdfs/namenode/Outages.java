package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.Heartbeats;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;

/**
 * Nodes that go and NameNodes that start again, at moments when HDFS owes no copy.
 *
 * <p>A copy that is ordered and never comes counts as under way for five minutes, and no other is
 * ordered in its place: one from or to a node that is stopped, or to a node that has the replica
 * and has not reported it.
 */
final class Outages {
  private Outages() {}

  /**
   * The open repairs of a NameNode: blocks that wait for a copy to be ordered, blocks whose copies
   * are ordered and not yet reported, replicas to be dropped, and the nodes that it can use.
   */
  private record Repair(long waiting, long ordered, long excess, int liveNodes) {
    static Repair of(TieredCluster cluster) {
      BlockManager blocks = cluster.mini().getNamesystem(cluster.nameNode()).getBlockManager();
      BlockManagerTestUtil.updateState(blocks);
      return new Repair(
          blocks.getLowRedundancyBlocksCount(),
          blocks.getPendingReconstructionBlocksCount(),
          blocks.getExcessBlocksCount(),
          blocks.getDatanodeManager().getNumLiveDataNodes());
    }
  }

  /** As {@link TieredCluster#await}; a failure says what the NameNode still has to repair. */
  static void awaitRepair(TieredCluster cluster, String what, TieredCluster.Check condition) {
    try {
      TieredCluster.await(what, condition);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; left: " + Repair.of(cluster), e);
    }
  }

  /** Stops a node when no copy is under way, and tells the NameNode at once. */
  static DataNodeProperties lose(TieredCluster cluster, String address) {
    awaitRepair(
        cluster,
        "no copy is under way",
        () -> {
          Repair repair = Repair.of(cluster);
          return repair.waiting() == 0 && repair.ordered() == 0;
        });
    DataNodeProperties lost = stop(cluster, address);
    declareDead(cluster, address, lost);
    return lost;
  }

  /** Stops a node; the NameNode notices it after many heartbeats. */
  static DataNodeProperties stop(TieredCluster cluster, String address) {
    DataNodeProperties stopped = cluster.mini().stopDataNode(address);
    assertThat(stopped).as("node %s", address).isNotNull();
    return stopped;
  }

  /**
   * Tells the NameNode at once that a node that was stopped is dead: again, where a heartbeat came
   * that was on its way.
   */
  static void declareDead(TieredCluster cluster, String address, DataNodeProperties lost) {
    NameNode nameNode = cluster.mini().getNameNode(cluster.nameNode());
    BlockManager blocks = nameNode.getNamesystem().getBlockManager();
    String uuid = lost.getDatanode().getDatanodeUuid();
    TieredCluster.await(
        address + " is dead",
        () -> {
          DFSTestUtil.setDatanodeDead(blocks.getDatanodeManager().getDatanode(uuid));
          BlockManagerTestUtil.checkHeartbeat(blocks);
          return BlockManagerTestUtil.isDatanodeRemoved(nameNode, uuid);
        });
  }

  /**
   * Makes the other NameNode of a pair the active one, and talks to it from now on. Nodes tell the
   * two of a replica one by one: a test waits for the first, and the other may not know it yet.
   */
  static void failOver(TieredCluster cluster) throws IOException {
    int next = 1 - cluster.nameNode();
    reportAll(cluster);
    cluster.mini().transitionToStandby(cluster.nameNode());
    cluster.mini().transitionToActive(next);
    cluster.useNameNode(next);
  }

  /**
   * Every node tells every NameNode what it holds. One of a pair that becomes active orders copies
   * of all that it has not heard of.
   */
  static void reportAll(TieredCluster cluster) throws IOException {
    cluster.mini().triggerBlockReports();
  }

  /**
   * Restarts the NameNode, which stays in safe mode until every node has reported what it holds.
   * Hadoop's default waits half a minute for that, a mini cluster not at all: then copies are
   * ordered of all that is reported a moment later.
   */
  static void restartNameNode(TieredCluster cluster) throws IOException {
    MiniDFSCluster mini = cluster.mini();
    Configuration conf = mini.getConfiguration(0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, Integer.MAX_VALUE);
    mini.restartNameNode(0, false);
    Heartbeats.goOn(mini);
    TieredCluster.await("reports of all nodes", () -> allNodesHaveReported(mini));
    NameNodeAdapter.leaveSafeMode(mini.getNameNode());
    mini.waitActive();
  }

  /**
   * Nodes hear of no copy that is ordered, until {@link #copyAgain}. HDFS orders one also for a
   * file that is open: of a complete block, when a replica is reported late.
   */
  static void copyNothing(TieredCluster cluster) {
    Heartbeats.hold(cluster.mini());
  }

  /**
   * Restarts the NameNode after {@link #copyNothing}; the new one orders no copy until {@link
   * #copyAgain}. Others order them all when they leave safe mode.
   */
  static void restartNameNodeThatCopiesNothing(TieredCluster cluster) throws IOException {
    Configuration conf = cluster.mini().getConfiguration(0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    restartNameNode(cluster);
  }

  static void copyAgain(TieredCluster cluster) {
    Configuration conf = cluster.mini().getConfiguration(0);
    conf.unset(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY);
    conf.unset(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY);
    BlockManager blocks = cluster.mini().getNamesystem().getBlockManager();
    blocks.setReplicationStreamsHardLimit(
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_DEFAULT);
    blocks.setMaxReplicationStreams(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT);
    Heartbeats.goOn(cluster.mini());
  }

  /**
   * Asks nodes that have registered and not reported. A NameNode drops the report of a node that
   * has registered again meanwhile, and the node does not repeat it for six hours.
   */
  private static boolean allNodesHaveReported(MiniDFSCluster mini) throws IOException {
    DatanodeManager nodes = mini.getNamesystem().getBlockManager().getDatanodeManager();
    boolean all = true;
    for (DataNode node : mini.getDataNodes()) {
      DatanodeDescriptor known = nodes.getDatanode(node.getDatanodeUuid());
      boolean reported = known != null && known.checkBlockReportReceived();
      if (known != null && !reported) {
        node.triggerBlockReport(new BlockReportOptions.Factory().build());
      }
      all &= reported;
    }
    return all;
  }
}
