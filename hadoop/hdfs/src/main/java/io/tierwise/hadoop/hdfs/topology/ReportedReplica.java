package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;

/**
 * A storage as the source of a read that somebody told of.
 *
 * @param storage that held the replica
 * @param remote whether the reader was on another node
 * @param reader who told
 */
record ReportedReplica(
    ReplicaTiers known, ReplicaTiers.Storage storage, boolean remote, ReadPath.Reader reader)
    implements ReadView {
  @Override
  public TierTable tiers() {
    return known.table();
  }

  @Override
  public int replicaCount() {
    return 1;
  }

  @Override
  public int tier(int replica) {
    return storage.tier();
  }

  @Override
  public int distance(int replica) {
    return remote ? NetworkDistance.UNKNOWN : NetworkDistance.LOCAL;
  }

  @Override
  public int activeTransfers(int replica) {
    return 0;
  }

  @Override
  public int nodeKey(int replica) {
    return storage.nodeKey();
  }

  @Override
  public int pathLength(int replica) {
    return ReadPath.length(storage, !remote, reader);
  }

  @Override
  public long pathKey(int replica, int step) {
    return ReadPath.key(storage, !remote, reader, step);
  }

  @Override
  public double pathBytesPerSecond(int replica, int step) {
    return ReadPath.bytesPerSecond(storage, !remote, reader, step);
  }

  @Override
  public double shareOfSpeed(int replica, int step) {
    return ReadPath.isLinkOfNode(step) ? known.linkShare(storage.datanodeUuid()) : 1;
  }

  @Override
  public long nowMillis() {
    return reader.nowMillis();
  }
}
