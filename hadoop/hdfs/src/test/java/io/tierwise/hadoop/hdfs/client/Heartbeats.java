package io.tierwise.hadoop.hdfs.client;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;

/** Heartbeats of all nodes: with them go their loads, and with the answers what they are to do. */
public final class Heartbeats {
  /** Of a DataNode's thread, while it tells the NameNode. */
  private static final String METHOD = "sendHeartBeat";

  private static final long WAIT_NANOS = 100_000_000L;
  private static final long WAIT_NANOS_MAX = 60_000_000_000L;

  private Heartbeats() {}

  /**
   * Until {@link #goOn}. Waits for those on their way: one that was begun before it was forbidden
   * is still handled, on a busy machine late.
   */
  public static void hold(MiniDFSCluster cluster) {
    forbid(cluster, true);
    long end = System.nanoTime() + WAIT_NANOS_MAX;
    while (isOnItsWay()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("a heartbeat takes more than " + WAIT_NANOS_MAX + " ns");
      }
      LockSupport.parkNanos(WAIT_NANOS);
    }
  }

  public static void goOn(MiniDFSCluster cluster) {
    forbid(cluster, false);
  }

  private static void forbid(MiniDFSCluster cluster, boolean forbidden) {
    for (DataNode node : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, forbidden);
    }
  }

  private static boolean isOnItsWay() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getMethodName().equals(METHOD));
  }
}
