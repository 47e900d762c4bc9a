package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tiers that policies count which name none, such as {@code hybrid}: all of a written tier
 * table; of HDFS's storage types those of which this NameNode has ever seen a volume.
 *
 * <p>A tier never ceases to count while the NameNode runs, so that no policy changes when the
 * tier's only node restarts or dies. A NameNode that starts learns the tiers as DataNodes register,
 * which is also when it learns of the replicas there: what it judges and what it judges by grow
 * together.
 */
final class CountedTiers {
  private static final Logger LOG = LoggerFactory.getLogger(CountedTiers.class);

  private volatile TierConfiguration configuration;
  private long seen;

  CountedTiers(TierConfiguration configuration) {
    this.configuration = configuration;
  }

  /** The tier table with the tiers that count now. */
  TierConfiguration configuration() {
    return configuration;
  }

  /**
   * Takes note of volumes, whatever their state.
   *
   * @return whether other tiers count from now on
   */
  synchronized boolean note(int[] volumeTiers) {
    long all = seen;
    for (int tier : volumeTiers) {
      if (tier != TierTable.NONE) {
        all |= 1L << tier;
      }
    }
    if (all == seen) {
      return false;
    }
    seen = all;
    TierConfiguration next = configuration.counting(seen);
    long before = configuration.table().countedSet();
    if (next.table().countedSet() == before) {
      return false;
    }
    configuration = next;
    LOG.info(
        "Policies that name no tier count {}: the tiers with a volume, as no tier table says others",
        String.join(", ", next.countedNames()));
    return true;
  }
}
