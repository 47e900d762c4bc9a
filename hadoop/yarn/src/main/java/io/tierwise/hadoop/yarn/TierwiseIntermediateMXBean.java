package io.tierwise.hadoop.yarn;

import java.util.Map;

/** {@code Hadoop:service=NodeManager,name=TierwiseIntermediate}: where intermediate data went. */
public interface TierwiseIntermediateMXBean {
  /** Containers that had the tier they asked for, by tier. */
  Map<String, Long> getContainersOnTier();

  /** Containers that had all directories, because none of the tier had room, by tier. */
  Map<String, Long> getContainersWithoutRoom();

  /** Containers that asked for a tier that the NodeManager does not know. */
  long getContainersOfUnknownTier();

  /** Times that HDFS did not say which tier is told for an application. */
  long getTimesUnheard();

  /** Containers that had all directories for an error of the plug-in's. */
  long getFailures();
}
