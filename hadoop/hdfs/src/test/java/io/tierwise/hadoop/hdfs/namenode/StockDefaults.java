package io.tierwise.hadoop.hdfs.namenode;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Undoes what Hadoop's mini cluster changes of Hadoop's own defaults and what bears on placement.
 *
 * <p>{@code MiniDFSCluster} of Hadoop 3.5.0 changes, by its builder or while it starts:
 *
 * <ul>
 *   <li>{@code dfs.namenode.redundancy.considerLoad} to false (undone here);
 *   <li>{@code dfs.datanode.round-robin-volume-choosing-policy.additional-available-space} to 0
 *       (undone here);
 *   <li>{@code dfs.replication} and {@code dfs.namenode.maintenance.replication.min} to at most the
 *       number of nodes;
 *   <li>{@code dfs.namenode.safemode.extension} to 0, {@code dfs.namenode.decommission.interval} to
 *       3 s, {@code dfs.blockreport.initialDelay} to 0;
 *   <li>{@code net.topology.node.switch.mapping.impl} to a table in memory, and the host names to
 *       {@code hostN.foo.com}, all of them at 127.0.0.1: the NameNode cannot tell a local node;
 *   <li>two volumes a node, two name directories, ports drawn by the system, {@code
 *       dfs.block.scanner.volume.join.timeout.ms};
 *   <li>the edit log is not flushed to the disk;
 *   <li>in HA pairs no checkpoints ({@code dfs.ha.standby.checkpoints}) and no rolling of the edit
 *       log ({@code dfs.ha.log-roll.period}) unless ports are given;
 *   <li>the metrics system in its mini-cluster mode, in which a name that is taken is no error;
 *   <li>{@code System.exit} by Hadoop is caught, and all daemons share one JVM with its statics:
 *       login, metrics, caches.
 * </ul>
 */
final class StockDefaults {
  private StockDefaults() {}

  /** To be called between making a builder, which changes its configuration, and {@code build}. */
  static void restore(Configuration conf) {
    conf.setBoolean(
        DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY,
        DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_DEFAULT);
    conf.unset(
        DFSConfigKeys
            .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY);
    conf.setBoolean(
        DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY, false);
  }
}
