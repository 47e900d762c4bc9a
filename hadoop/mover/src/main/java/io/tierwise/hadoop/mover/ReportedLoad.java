package io.tierwise.hadoop.mover;

import io.tierwise.core.view.LoadView;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * The transfers that DataNodes told their NameNode of. The newest heartbeat of all stands for the
 * NameNode's present, whose clock nobody else has.
 */
record ReportedLoad(int[] transfers, long[] heardMillis, long nowMillis) implements LoadView {
  /** By the numbers of the nodes in the list. */
  static ReportedLoad of(List<DatanodeInfo> nodes) {
    long[] heard = nodes.stream().mapToLong(DatanodeInfo::getLastUpdateMonotonic).toArray();
    long now = 0;
    for (long one : heard) {
      now = Math.max(now, one);
    }
    int[] transfers = nodes.stream().mapToInt(DatanodeInfo::getXceiverCount).toArray();
    return new ReportedLoad(transfers, heard, now);
  }

  @Override
  public int transfers(int node) {
    return transfers[node];
  }

  @Override
  public long ageMillis(int node) {
    return nowMillis - heardMillis[node];
  }
}
