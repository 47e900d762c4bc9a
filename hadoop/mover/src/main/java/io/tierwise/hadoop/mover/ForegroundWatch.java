package io.tierwise.hadoop.mover;

import io.tierwise.core.view.LoadView;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a queue how busy DataNodes are, and which leave, as often as by default they tell their
 * NameNode.
 */
final class ForegroundWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ForegroundWatch.class);

  /** HDFS's default of {@code dfs.heartbeat.interval}. */
  private static final long REST_MILLIS = TimeUnit.SECONDS.toMillis(3);

  /**
   * For so long nodes are as busy as they were last: a NameNode that does not answer is no sign of
   * idle nodes. As old a report of a node is believed.
   */
  static final long BELIEVED_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final Question nameNode;
  private final ToDoubleFunction<DatanodeInfo> shuffle;
  private final ToDoubleFunction<String> part;
  private final MoveQueue queue;
  private final LongSupplier nanos;
  private long answeredNanos;

  /** Asks the NameNode for its live DataNodes. */
  @FunctionalInterface
  interface Question {
    List<DatanodeInfo> liveNodes() throws IOException;
  }

  /**
   * @param shuffle the bytes a second of map output that a node sends
   * @param part of a node's limits that other movers leave
   */
  ForegroundWatch(
      Question nameNode,
      ToDoubleFunction<DatanodeInfo> shuffle,
      ToDoubleFunction<String> part,
      MoveQueue queue) {
    this(nameNode, shuffle, part, queue, System::nanoTime);
  }

  ForegroundWatch(
      Question nameNode,
      ToDoubleFunction<DatanodeInfo> shuffle,
      ToDoubleFunction<String> part,
      MoveQueue queue,
      LongSupplier nanos) {
    this.nanos = nanos;
    this.answeredNanos = nanos.getAsLong();
    this.nameNode = nameNode;
    this.shuffle = shuffle;
    this.part = part;
    this.queue = queue;
  }

  /** Asks once. Where nobody answers for long, nobody knows of any load. */
  void look() {
    try {
      List<DatanodeInfo> nodes = nameNode.liveNodes();
      queue.know(
          nodes.stream().map(DatanodeInfo::getDatanodeUuid).toList(),
          ReportedLoad.of(nodes, shuffle),
          part);
      queue.know(
          nodes.stream()
              .filter(node -> node.getAdminState() != AdminStates.NORMAL)
              .map(DatanodeInfo::getDatanodeUuid)
              .collect(Collectors.toSet()));
      answeredNanos = nanos.getAsLong();
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot ask how busy DataNodes are", e);
      if (nanos.getAsLong() - answeredNanos > BELIEVED_NANOS_MAX) {
        queue.know(List.of(), LoadView.UNKNOWN, part);
      }
    }
  }

  @Override
  public void run() {
    try {
      while (!queue.isClosed()) {
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
        look();
      }
    } catch (InterruptedException e) {
      // The run is over.
      Thread.currentThread().interrupt();
    }
  }
}
