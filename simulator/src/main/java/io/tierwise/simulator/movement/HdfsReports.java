package io.tierwise.simulator.movement;

import io.tierwise.simulator.engine.Ticks;

/**
 * When HDFS has dropped the old replica of a move between nodes: the NameNode looks every three
 * seconds what there is to drop, tells the node at its next heartbeat, and the node says at the one
 * after that that it is gone.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code BlockManager.RedundancyMonitor} ({@code
 * dfs.namenode.redundancy.interval.seconds}, 3), {@code BPServiceActor} (deletions are told with
 * heartbeats).
 */
final class HdfsReports {
  private static final double LOOK_SECONDS = 3;

  private final long heartbeatTicks;
  private final int nodes;

  HdfsReports(double heartbeatSeconds, int nodes) {
    this.heartbeatTicks = Math.max(1, Ticks.ofSeconds(heartbeatSeconds));
    this.nodes = nodes;
  }

  /** When the NameNode knows that the old replica on the node is gone. */
  long droppedTick(long copiedTick, int node) {
    long looked = next(copiedTick, Ticks.ofSeconds(LOOK_SECONDS), 0);
    // Nodes start at different moments, and so do their heartbeats.
    long phase = heartbeatTicks / nodes * node;
    return next(looked, heartbeatTicks, phase) + heartbeatTicks;
  }

  private static long next(long after, long interval, long phase) {
    return (after - phase + interval) / interval * interval + phase;
  }
}
