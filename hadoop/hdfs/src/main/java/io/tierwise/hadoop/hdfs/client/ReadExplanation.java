package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.NetworkDistance;
import io.tierwise.hadoop.hdfs.topology.ReplicaSorter;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Explains how a strategy would read the blocks of a file, replica by replica. Nothing is read, and
 * the strategy learns nothing.
 */
public final class ReadExplanation {
  private final LocatedBlockOrder order;
  private final AccessPick pick;
  private final boolean elsewhere;

  /**
   * @param strategy the strategy to explain; a learning one is shown as it starts
   * @param elsewhere whether the reader is another one than this machine, for which the NameNode
   *     listed the replicas: they are taken as listed by distance then
   * @throws IllegalArgumentException when the configured reader location is malformed
   */
  public ReadExplanation(
      Configuration conf, TierConfiguration tiers, AccessStrategy strategy, boolean elsewhere) {
    this.order = LocatedBlockOrder.of(conf, tiers);
    this.pick = AccessSession.of(strategy).pick(0);
    this.elsewhere = elsewhere;
  }

  /**
   * One replica in the strategy's order.
   *
   * @param tier index in the tier table, or {@code TierTable.NONE}
   * @param distance hops from the reader, as HDFS counts; null where the reader's rack is not known
   */
  public record Replica(DatanodeInfoWithStorage location, int tier, Integer distance) {}

  /** One block: why its first replica is first, and all replicas in order. */
  public record Block(LocatedBlock located, AccessReason reason, List<Replica> replicas) {}

  private record Heard(LocatedBlock block, AccessReason reason) {}

  /** The blocks in file order; a block without replicas has an empty list. */
  public List<Block> explain(String path, LocatedBlocks blocks) {
    if (elsewhere) {
      order.nearestFirst(blocks);
    }
    List<Heard> heard = new ArrayList<>();
    order.order(
        LocatedBlockOrder.fileId(path),
        blocks,
        pick,
        (block, reason) -> heard.add(new Heard(block, reason)));
    // Not while they are ordered: a late block may tell the rack that all distances hang on.
    ReplicaSorter sorter = new ReplicaSorter(order.tiers(), order::distanceTo);
    return heard.stream()
        .map(told -> new Block(told.block(), told.reason(), replicas(sorter, told.block())))
        .toList();
  }

  private List<Replica> replicas(ReplicaSorter sorter, LocatedBlock block) {
    DatanodeInfoWithStorage[] ordered = block.getLocations();
    sorter.show(ordered, ordered.length);
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < ordered.length; i++) {
      int hops = sorter.distance(i);
      boolean known = hops == NetworkDistance.LOCAL || order.knowsRack();
      replicas.add(new Replica(ordered[i], sorter.tier(i), known ? hops : null));
    }
    return replicas;
  }
}
