package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Looks where the files are now whose replicas the daemon brought to a tier. */
record PlacedFiles(MoverCluster cluster, AutotierSettings settings, String tier) {
  /**
   * Own: a copy may come so long after it was asked for. A DataNode that is asked goes on when
   * nobody waits any more, as after a stop or a kill, and its copies share the bandwidth that HDFS
   * leaves to them.
   */
  static final double COPY_SECONDS_MAX = 600;

  /**
   * Those that are there, with the bytes that are. Files that were deleted, that somebody took out
   * again, that never came, or that were renamed to where others decide, are forgotten.
   *
   * @param placed some of what is known in lastChanges
   * @param isOthers files that are there, and about which somebody else decides
   */
  Map<Long, LastChanges.Placed> there(
      Map<Long, LastChanges.Placed> placed,
      LastChanges lastChanges,
      BiPredicate<String, HdfsFileStatus> isOthers,
      double nowSeconds)
      throws IOException {
    Map<Long, LastChanges.Placed> there = new TreeMap<>();
    for (Map.Entry<Long, LastChanges.Placed> each : placed.entrySet()) {
      long id = each.getKey();
      LastChanges.Placed last = each.getValue();
      String path = last.path();
      HdfsLocatedFileStatus now = located(id, path);
      if (now == null) {
        Optional<String> renamed = CurrentPath.of(cluster.fs().getClient(), id);
        if (renamed.isPresent() && isOurs(renamed.get())) {
          path = renamed.get();
          now = located(id, path);
        }
      }
      long bytes = now == null ? 0 : bytesThere(now);
      if (now == null || (bytes == 0 && nowSeconds - last.seconds() > COPY_SECONDS_MAX)) {
        lastChanges.forgetPlaced(id);
        continue;
      }
      lastChanges.saw(tier, id, path, bytes);
      if (bytes > 0 && !isOthers.test(path, now)) {
        there.put(id, new LastChanges.Placed(path, bytes, tier, last.seconds(), last.prefetched()));
      }
    }
    return there;
  }

  /**
   * Of a block that has lost a replica, HDFS makes another one, and where the storage policy wants
   * one in the tier, there: it keeps its room until it has all of them and none is there.
   */
  private long bytesThere(HdfsLocatedFileStatus file) {
    int index = cluster.tiers().table().require(tier).index();
    long there = 0;
    for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
      boolean comesBack = block.getLocations().length < file.getReplication();
      there += comesBack || TierMoves.isIn(cluster, block, index) ? block.getBlockSize() : 0;
    }
    return there;
  }

  /** Null for a file that is not there. */
  private HdfsLocatedFileStatus located(long fileId, String path) throws IOException {
    HdfsLocatedFileStatus status = cluster.fs().getClient().getLocatedFileInfo(path, false);
    return status != null && status.getFileId() == fileId ? status : null;
  }

  private boolean isOurs(String path) throws IOException {
    return settings.covers(path) && Claims.policyOf(cluster, path).isEmpty();
  }
}
