package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.placement.ShareByUse;
import io.tierwise.policies.placement.ZoneTotals;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Goes once through the files that a directory's policy places, and sums up what they hold, where,
 * and what was read and written of them. What is below a policy of its own is left out.
 */
final class ShareUse implements NamespaceWalk.Visitor {
  private final MoverCluster cluster;
  private final String root;
  private final Window window;
  private final ZoneTotals totals;
  private final WalkTurns turns = new WalkTurns(this::walk);
  private String others;
  private double bytes;
  private double storedBytes;
  private double readBytes;
  private double writtenBytes;

  /**
   * The time that is looked at.
   *
   * @param readBytes in it, by the path of each file that was read
   */
  record Window(double sinceSeconds, double untilSeconds, Map<String, Double> readBytes) {
    /** The part of it that is over. */
    Window until(double nowSeconds) {
      return new Window(sinceSeconds, Math.min(untilSeconds, nowSeconds), readBytes);
    }
  }

  /** The sums, with one replica, of the window. */
  record Sum(double seconds, double bytes, double replicas, double readBytes, double writtenBytes) {
    ShareByUse.DataSet dataSet() {
      return new ShareByUse.DataSet(bytes, replicas, readBytes / seconds, writtenBytes / seconds);
    }
  }

  ShareUse(MoverCluster cluster, String root, Window window, ZoneTotals totals) {
    this.cluster = cluster;
    this.root = root;
    this.window = window;
    this.totals = totals;
  }

  /** Whether all was looked at within the bounds; what was is summed up. */
  boolean look(RuleRounds.Turn bounds) throws IOException {
    boolean over = turns.turn(bounds.pathsMax(), bounds.nanosMax(), bounds.pulse());
    if (!over) {
      turns.end();
    }
    return over;
  }

  private void walk() throws IOException {
    try (NamespaceWalk walk = new NamespaceWalk(cluster.fs(), true, this)) {
      walk.walk(root);
    }
  }

  Sum sum() {
    return new Sum(
        Math.max(1e-3, window.untilSeconds() - window.sinceSeconds()),
        bytes,
        bytes == 0 ? 1 : Math.max(1, storedBytes / bytes),
        readBytes,
        writtenBytes);
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) throws IOException {
    turns.step();
    if (others == null && !path.equals(root) && hasPolicy(attributes)) {
      others = path;
    }
  }

  private static boolean hasPolicy(Map<String, byte[]> attributes) {
    return attributes.containsKey(PathPolicy.PLACEMENT_ATTRIBUTE);
  }

  @Override
  public void leave(String path) {
    others = path.equals(others) ? null : others;
  }

  @Override
  public void unreadable(String path, boolean directory) {
    // The superuser reads all.
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes)
      throws IOException {
    turns.step();
    if (others != null || hasPolicy(attributes) || FileJudge.ownRules(status).isPresent()) {
      return;
    }
    bytes += status.getLen();
    storedBytes += (double) status.getLen() * status.getReplication();
    readBytes += window.readBytes().getOrDefault(path, 0.0);
    double writtenSeconds = status.getModificationTime() / 1e3;
    if (writtenSeconds >= window.sinceSeconds() && writtenSeconds <= window.untilSeconds()) {
      writtenBytes += status.getLen();
    }
    for (LocatedBlock block :
        ((HdfsLocatedFileStatus) status).getLocatedBlocks().getLocatedBlocks()) {
      for (int i = 0; i < block.getLocations().length; i++) {
        totals.replica(tier(block, i), (double) block.getBlockSize());
      }
    }
  }

  private int tier(LocatedBlock block, int replica) {
    return cluster
        .tiers()
        .matcher()
        .tiersOf(
            TierMatch.Volume.of(
                block.getStorageTypes()[replica],
                block.getLocations()[replica],
                block.getStorageIDs()[replica]))
        .stream()
        .findFirst()
        .orElse(TierTable.NONE);
  }
}
