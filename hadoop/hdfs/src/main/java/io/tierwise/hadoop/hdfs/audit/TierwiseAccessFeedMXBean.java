package io.tierwise.hadoop.hdfs.audit;

/** The feed of accesses, for JMX. No path stands here: it could be read without permission. */
public interface TierwiseAccessFeedMXBean {
  /** Accesses that were taken into the queue. */
  long getEvents();

  /** Accesses that found the queue full. */
  long getDropped();

  /** Accesses that were lost to an error. */
  long getFailures();

  /** Accesses that wait. */
  int getQueueEvents();

  /** Opens that began a read. */
  long getReads();

  /** Opens that went on with a read. */
  long getContinued();

  /** Files that have a count of their own. */
  int getFiles();
}
