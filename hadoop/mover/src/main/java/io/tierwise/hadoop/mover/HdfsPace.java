package io.tierwise.hadoop.mover;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * The pace at which HDFS makes the copies that files lack, by its own keys. All of them hold for
 * the whole cluster, and for what a lost node leaves to copy as well: there is none for the copies
 * of one command.
 *
 * <p>t = max(ceil(b / (m n)) i, b h / (s n), B / (r n)): seconds; b blocks, B bytes, n nodes, m
 * blocks a node in a turn, i seconds a turn, s copies that a node sends in h, the seconds between
 * heartbeats, r bytes a second that a node sends. Own: nodes share the work evenly, so that HDFS
 * takes at least as long.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code BlockManager.computeDatanodeWork}, {@code
 * DatanodeManager.handleHeartbeat}, {@code DataNode.DataTransfer}.
 *
 * @param nodes that are in service
 * @param blocksANode that the NameNode gives out in a turn, for each node
 * @param turnSeconds between its turns
 * @param streams that a node sends at once
 * @param heartbeatSeconds between two of a node's
 * @param bytesPerSecond that a node sends; 0 for any number
 */
record HdfsPace(
    int nodes,
    int blocksANode,
    double turnSeconds,
    int streams,
    double heartbeatSeconds,
    long bytesPerSecond) {

  /** By a configuration, which a client may have other than the NameNode. */
  static HdfsPace of(Configuration conf, int nodes) {
    return new HdfsPace(
        Math.max(1, nodes),
        atLeastOne(
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION,
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION_DEFAULT)),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_DEFAULT,
            TimeUnit.SECONDS),
        atLeastOne(
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT)),
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS),
        conf.getLongBytes(
            DFSConfigKeys.DFS_DATANODE_DATA_TRANSFER_BANDWIDTHPERSEC_KEY,
            DFSConfigKeys.DFS_DATANODE_DATA_TRANSFER_BANDWIDTHPERSEC_DEFAULT));
  }

  private static int atLeastOne(int value) {
    return Math.max(1, value);
  }

  /** How long copies take at least: of so many blocks, and of so many bytes in all. */
  double seconds(long blocks, long bytes) {
    double turns = Math.ceil(blocks / ((double) blocksANode * nodes)) * turnSeconds;
    double sending = blocks * heartbeatSeconds / ((double) streams * nodes);
    double transfer = bytesPerSecond == 0 ? 0 : bytes / ((double) bytesPerSecond * nodes);
    return Math.max(turns, Math.max(sending, transfer));
  }

  /** The keys that it goes by, for people. */
  String keys() {
    return String.format(
        Locale.ROOT,
        "%s %d and %s %d in this configuration",
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION,
        blocksANode,
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
        streams);
  }
}
