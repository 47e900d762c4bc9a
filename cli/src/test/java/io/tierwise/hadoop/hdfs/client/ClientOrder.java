package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** The client's ordering of located blocks, for a file id of the test's choice. */
public final class ClientOrder {
  private final LocatedBlockOrder order;

  public ClientOrder(Configuration conf, TierConfiguration tiers) {
    order = LocatedBlockOrder.of(conf, tiers);
  }

  /** Puts the replicas of all blocks into the order in which they would be read. */
  public void order(long fileId, LocatedBlocks blocks, AccessPick pick) {
    order.order(fileId, blocks, pick);
  }

  /** Blocks of which no strategy could decide. */
  public long failureCount() {
    return order.failureCount();
  }
}
