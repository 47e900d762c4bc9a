package io.tierwise.hadoop.hdfs.datanode;

import java.util.Map;

/**
 * The plug-in of one DataNode as JMX shows it ({@code Hadoop:service=DataNode,name=TierwiseReads},
 * also under the DataNode's {@code /jmx}).
 */
public interface TierwiseReadsMXBean {
  /** Whether reads are limited here. */
  boolean isLimiting();

  /** Why nothing is limited though a key asks for it; empty when all is well. */
  String getProblem();

  /** Where the tier table was read from; empty when nothing is limited, for then none is read. */
  String getTierTableSource();

  /** Tells two tier tables apart: the first digits of the SHA-256 of the file's text. */
  String getTierTableDigest();

  /** Clients reading from the node now. */
  int getReaders();

  /** The most clients that read from the node at a time. */
  int getPeakReaders();

  /** Reads refused, by the node's limit or a volume's. */
  long getRefusals();

  /** Reads served beyond a limit since their client came back. */
  long getServedAfterRefusal();

  /** Reads served beyond a limit since no refusal could be remembered. */
  long getServedForLackOfMemory();

  /** Reads of erasure-coded files served beyond a limit, since each part is on one node alone. */
  long getServedForLackOfReplicas();

  /** Reads served uncounted after an error of the plug-in. */
  long getAdmissionErrors();

  /** Clients reading now, by storage id. */
  Map<String, Integer> getReadersByVolume();

  /** The most clients at a time, by storage id. */
  Map<String, Integer> getPeakReadersByVolume();

  /** Reads refused by a volume's own limit, by storage id. */
  Map<String, Long> getRefusalsByVolume();

  /** The tier of each volume that was read, by storage id. */
  Map<String, String> getTierByVolume();
}
