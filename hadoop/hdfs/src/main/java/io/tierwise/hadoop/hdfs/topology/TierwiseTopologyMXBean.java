package io.tierwise.hadoop.hdfs.topology;

/** The ordering of replicas in one NameNode as JMX shows it. */
public interface TierwiseTopologyMXBean {
  /** Where the tier table was read from. */
  String getTierTableSource();

  /** Tells two tier tables apart: the first digits of the SHA-256 of the file's text. */
  String getTierTableDigest();

  /** Blocks put into the strategy's order. */
  long getOrderedBlocks();

  /** Blocks left in order of distance after an error. */
  long getOrderFailures();

  /** Blocks that the strategy took more than 50 ms to order. */
  long getSlowOrders();

  /** Blocks left in order of distance because the strategy is too slow. */
  long getOrdersLeftOut();

  /** Seconds that the strategy took since the start. */
  double getOrderSeconds();

  /** Reads that a strategy that counts its answers has counted; a later block is a part of one. */
  double getCountedReads();

  /** Reads that readers told of; none with {@code auto:reports=false}. */
  long getReportedReads();

  /** Calls that only asked for locations, and whose answers were taken back. */
  long getLooks();
}
