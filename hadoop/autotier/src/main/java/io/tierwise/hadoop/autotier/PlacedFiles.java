package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Looks where files are now of which the daemon brought a replica to a tier. */
record PlacedFiles(MoverCluster cluster, AutotierSettings settings, String tier) {
  /**
   * Those that are there. Files that were deleted, that somebody took out again, or renamed to
   * where others decide, are forgotten.
   *
   * @param placed some of what is known in lastChanges
   * @param isOthers files that are there, and about which somebody else decides
   */
  Map<Long, LastChanges.Placed> there(
      Map<Long, LastChanges.Placed> placed,
      LastChanges lastChanges,
      BiPredicate<String, HdfsFileStatus> isOthers)
      throws IOException {
    Map<Long, LastChanges.Placed> there = new TreeMap<>();
    for (Map.Entry<Long, LastChanges.Placed> each : placed.entrySet()) {
      long id = each.getKey();
      LastChanges.Placed last = each.getValue();
      HdfsLocatedFileStatus now = located(id, last.path());
      if (now == null) {
        Optional<String> renamed = CurrentPath.of(cluster.fs().getClient(), id);
        if (renamed.isPresent() && isOurs(renamed.get())) {
          last = lastChanges.renamed(id, renamed.get());
          now = located(id, last.path());
        }
      }
      if (now == null || wasTakenOut(now, lastChanges)) {
        lastChanges.forgetPlaced(id);
      } else if (!isOthers.test(last.path(), now)) {
        there.put(id, last);
      }
    }
    return there;
  }

  /** A replica that only a fault took is brought back by HDFS where its storage policy wants it. */
  private boolean wasTakenOut(HdfsLocatedFileStatus file, LastChanges lastChanges) {
    return lastChanges.storagePolicyBefore(file).isEmpty()
        && TierMoves.missingBytes(cluster, file, tier) >= Math.max(1, file.getLen());
  }

  /** Null for a file that is not there. */
  private HdfsLocatedFileStatus located(long fileId, String path) throws IOException {
    HdfsLocatedFileStatus status = cluster.fs().getClient().getLocatedFileInfo(path, false);
    return status != null && status.getFileId() == fileId ? status : null;
  }

  private boolean isOurs(String path) throws IOException {
    return settings.covers(path) && ReplicaPlanner.policyOf(cluster, path).isEmpty();
  }
}
