package io.tierwise.cli.explain;

import io.tierwise.cli.policy.PathPolicy;
import java.util.List;

/**
 * All that is known of a file's replicas.
 *
 * @param placement what placed its blocks: a specification and where it stands; null for stock HDFS
 * @param access the strategy that orders its replicas, and where it stands
 * @param moverWouldMove replicas whose storage type the storage policy does not ask for: HDFS's
 *     Mover knows no other policy and would move them
 * @param reader where the reader is taken to be
 */
record Explanation(
    String path,
    long lengthBytes,
    int replication,
    long blockBytes,
    String storagePolicy,
    boolean erasureCoded,
    PathPolicy placement,
    PathPolicy access,
    int moverWouldMove,
    String reader,
    List<Block> blocks) {

  /**
   * One block.
   *
   * @param reason why the first replica would be read first
   * @param replicas in the order in which they would be asked
   */
  record Block(
      long index,
      String name,
      long lengthBytes,
      boolean corrupt,
      String reason,
      List<Replica> replicas) {}

  /**
   * One replica.
   *
   * @param distance hops from the reader: 0 same node, 2 same rack, 4 other rack, 6 other region
   */
  record Replica(
      String tier,
      String node,
      String rack,
      String region,
      String storageType,
      String storageId,
      String state,
      int distance) {}
}
