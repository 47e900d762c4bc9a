package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;

/**
 * A storage as the source of a read that somebody told of, wherever that reader was.
 *
 * @param storage that held the replica
 * @param remote whether the reader was on another node
 * @param nowMillis monotonic time
 */
record ReportedReplica(
    ReplicaTiers known, ReplicaTiers.Storage storage, boolean remote, long nowMillis)
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

  /** The device, and the link of its node; what is behind is the reader's. */
  @Override
  public int pathLength(int replica) {
    return remote ? 2 : 1;
  }

  @Override
  public long pathKey(int replica, int step) {
    return step == 0 ? ReplicaSorter.deviceKey(storage) : ReplicaSorter.linkKey(storage);
  }

  @Override
  public double pathBytesPerSecond(int replica, int step) {
    return step == 0 ? storage.readBytesPerSecond() : storage.linkBytesPerSecond();
  }

  @Override
  public double shareOfSpeed(int replica, int step) {
    return step == 0 ? 1 : known.linkShare(storage.datanodeUuid());
  }
}
