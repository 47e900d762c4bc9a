package io.tierwise.hadoop.hdfs.namenode;

import java.util.Map;

/**
 * The plug-in of one NameNode as JMX shows it ({@code
 * Hadoop:service=NameNode,name=TierwisePlacement}, also under the NameNode's {@code /jmx}).
 */
public interface TierwisePlacementMXBean {
  /** Where the tier table was read from. */
  String getTierTableSource();

  /** Tells two tier tables apart: the first digits of the SHA-256 of the file's text. */
  String getTierTableDigest();

  /** Tier names, fastest first. */
  String getTiers();

  /** The placement class that decides for files under no policy. */
  String getUnmanagedClass();

  /** Decisions since the start, by policy. */
  Map<String, Long> getDecisions();

  /** Replicas placed, by what had to be given up for them. */
  Map<String, Long> getReplicasByGivenUp();

  /** Replicas that did not get their tier, by {@code tier/reason}, such as {@code fast/full}. */
  Map<String, Long> getFallbacks();

  /** Times that stock HDFS decided for a managed path, by reason. */
  Map<String, Long> getStockTakeovers();

  /** Seconds that policies took since the start, by {@code question/class}. */
  Map<String, Double> getDecisionSeconds();

  /** Decisions that took over 50 ms, by {@code place/class} and {@code drop/class}. */
  Map<String, Long> getSlowDecisions();

  /** Whether excess replicas of managed files are chosen by their policy. */
  boolean isDeletionLayoutSafe();

  /** Excess replicas that a policy chose. */
  long getDeletionsByPolicy();

  /** Excess replicas that the path-blind tier rule chose. */
  long getDeletionsByTierRule();

  /** Nodes in the view that decisions use. */
  int getViewNodes();

  /** Volumes in that view that could take a block when it was made, by tier. */
  Map<String, Integer> getViewVolumesByTier();

  /** Capacity of all volumes of each tier, full ones included. */
  Map<String, Long> getCapacityBytesByTier();

  /** The free bytes of these volumes. */
  Map<String, Long> getRemainingBytesByTier();

  /** Bytes that DataNodes keep free on each volume, as this NameNode believes. */
  long getKeptFreeBytes();

  /** Times since the start that the cluster was compared with the view. */
  long getViewLooks();

  /** Views made since the start. */
  long getViewBuilds();

  /** Time that the latest view took to make. */
  long getViewBuildNanos();
}
