package io.tierwise.hadoop.mover;

import io.tierwise.core.view.LoadView;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * The transfers that DataNodes told their NameNode of. The newest heartbeat of all stands for the
 * NameNode's present, whose clock nobody else has.
 */
record ReportedLoad(int[] transfers, long[] heardMillis, long nowMillis, double[] shuffles)
    implements LoadView {
  /** By the numbers of the nodes in the list; nobody tells of shuffles. */
  static ReportedLoad of(List<DatanodeInfo> nodes) {
    return of(nodes, node -> 0);
  }

  /**
   * The same with what others tell of shuffles.
   *
   * @param shuffle the bytes a second that the node sends
   */
  static ReportedLoad of(List<DatanodeInfo> nodes, ToDoubleFunction<DatanodeInfo> shuffle) {
    long[] heard = nodes.stream().mapToLong(DatanodeInfo::getLastUpdateMonotonic).toArray();
    long now = 0;
    for (long one : heard) {
      now = Math.max(now, one);
    }
    int[] transfers = nodes.stream().mapToInt(DatanodeInfo::getXceiverCount).toArray();
    double[] shuffles = nodes.stream().mapToDouble(shuffle).toArray();
    return new ReportedLoad(transfers, heard, now, shuffles);
  }

  @Override
  public int transfers(int node) {
    return transfers[node];
  }

  @Override
  public long ageMillis(int node) {
    return nowMillis - heardMillis[node];
  }

  @Override
  public double shuffleBytesPerSecond(int node) {
    return shuffles[node];
  }
}
