/**
 * Tierwise inside the NameNode: places new and missing replicas, and drops excess ones, by the
 * policy of the path.
 *
 * <p>It decides nothing itself: it opens a view over the NameNode's live node descriptors, finds
 * the policy of the path, asks it and hands the answer to HDFS. A path without a policy is stock
 * HDFS's business, and so is everything that goes wrong here. Not here: moving data that is placed
 * already, and the DataNode's side of a choice (which volume takes the replica).
 *
 * <p>Start reading at {@link io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy}, then {@link
 * io.tierwise.hadoop.hdfs.namenode.PlacementHost}.
 */
package io.tierwise.hadoop.hdfs.namenode;
