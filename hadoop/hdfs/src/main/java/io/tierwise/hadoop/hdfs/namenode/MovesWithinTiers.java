package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the Balancer may move a replica from one node to another, as far as tiers go. Other tools
 * may move what they like: the Mover asks the same question of its moves between nodes, and takes
 * replicas to another storage type by intent.
 *
 * <p>The Balancer keeps the storage type of a replica, but not a tier that is told from another by
 * its nodes. It asks without naming path, volume or type, so the answer is about the two nodes: for
 * at least one storage type that both can have in a tier, it must be the same tier. Nodes that
 * share no tier exchange nothing; nodes that share some tier may also exchange replicas of a type
 * whose tiers differ, since to refuse those would refuse all others too. The NameNode drops such a
 * copy of a managed file again.
 */
final class MovesWithinTiers {
  static final String KEY = "tierwise.balancer.within-tiers.enabled";
  static final boolean DEFAULT = true;

  /** For a tool that is not the Balancer. */
  static final MovesWithinTiers ALL = new MovesWithinTiers(null);

  private static final String BALANCER = "org.apache.hadoop.hdfs.server.balancer.Balancer";
  private static final Logger LOG = LoggerFactory.getLogger(MovesWithinTiers.class);
  private static final OnceLog ONCE = new OnceLog(LOG);

  private final TierConfiguration configuration;

  private MovesWithinTiers(TierConfiguration configuration) {
    this.configuration = configuration;
  }

  /** Reads the tier table that the tool sees; without a readable one every move is allowed. */
  static MovesWithinTiers of(Configuration conf) {
    if (conf == null || !conf.getBoolean(KEY, DEFAULT)) {
      return ALL;
    }
    try {
      return new MovesWithinTiers(TierConfiguration.load(conf));
    } catch (IllegalArgumentException e) {
      LOG.warn("Replicas may be moved between tiers: {}", e.getMessage());
      return ALL;
    }
  }

  /**
   * Whether the Balancer is at work in this thread: it makes its placement classes itself, in its
   * constructor, as the Mover does in its own.
   */
  static boolean isBalancer() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(BALANCER)));
  }

  boolean allows(DatanodeInfo source, DatanodeInfo target) {
    if (configuration == null) {
      return true;
    }
    boolean differs = false;
    for (StorageType type : StorageType.getMovableTypes()) {
      int from = tierOf(type, source);
      int to = tierOf(type, target);
      if (from == to && from != TierTable.NONE) {
        return true;
      }
      differs |= from != to;
    }
    if (differs) {
      ONCE.warn(
          "refused",
          "The Balancer moves no replica from "
              + source
              + " to "
              + target
              + ", nor between other nodes that share no tier of "
              + configuration.source()
              + "; where it is to, set "
              + KEY
              + " to false in its configuration");
    }
    return !differs;
  }

  private int tierOf(StorageType type, DatanodeInfo node) {
    return configuration.matcher().tierOf(TierMatch.Volume.of(type, node, null));
  }
}
