package io.tierwise.hadoop.hdfs.namenode;

import java.util.Map;

/** The monitor of stored blocks, for people; the same as the metrics. Ages since the start. */
public interface TierwiseMonitorMXBean {
  /** Whether it looks for blocks that are not as their layouts want them. */
  boolean isEnabled();

  /** Blocks that wait for repair, by urgency. */
  Map<String, Long> getBacklogBlocks();

  /** Bytes of their replicas that should be elsewhere. */
  Map<String, Long> getBacklogBytes();

  /** For how long the oldest of them has waited. */
  double getOldestAgeSeconds();

  /** Blocks in the queue, of {@code tierwise.monitor.queue.blocks}. */
  int getQueueBlocks();

  /** Managed files that the last walk came by. */
  long getManagedFiles();

  /** Their blocks. */
  long getManagedBlocks();

  /** Blocks that HDFS was about to copy or to drop replicas of. */
  long getLeftToHdfsBlocks();

  /** Walks that came to their end. */
  long getWalks();

  /** How long the last one took. */
  double getWalkSeconds();

  /** For how long all of them held the namesystem's read lock. */
  double getLockSeconds();

  /** Files of which replicas are to come that their policy did not let the write wait for. */
  int getAsyncFiles();

  /** Their blocks that lack one. */
  long getAsyncBlocks();

  /** Bytes that are not yet where they should be: what the loss of a region may cost. */
  long getAsyncBytes();

  /** Since the first block of the oldest such file was written. */
  double getAsyncOldestAgeSeconds();

  /** Replicas that movers brought to faster ({@code up}) and slower tiers, for the monitor. */
  Map<String, Long> getMovedReplicas();

  /** Their bytes. */
  Map<String, Long> getMovedBytes();

  /** Repairs that failed, by reason; each is tried again. */
  Map<String, Long> getFailures();

  /** Blocks that were moved back after a repair, by the tool that was seen. */
  Map<String, Long> getBackOffs();

  /** Blocks that are left alone for that at this moment. */
  int getLeftAloneBlocks();

  /** The state of the mover: absent, idle, moving or locked_out. */
  String getMoverState();

  /** Bytes a second that it may move, of a node and in all. */
  Map<String, Long> getMoverLimitBytesPerSecond();

  /** Nodes whose other work held its moves back in the batch before its last question. */
  int getMoverYieldingNodes();
}
