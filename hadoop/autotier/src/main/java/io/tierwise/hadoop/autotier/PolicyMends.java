package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Mends storage policies that runs left which ended between the policy of a file and its move: all
 * files of a run get theirs first. One of which nothing came gets back what it had. One that is
 * there, since it did not leave, gets the one again with which it stays.
 *
 * <p>Rounds and prefetches plan beside each other, and neither sees what the other one is about to
 * bring. Each mends what runs of its own kind left: else a prefetch would take out a popular file
 * that the round brings anew after a kill.
 *
 * <p>A file that was renamed in between is left as it is.
 */
record PolicyMends(MoverCluster cluster, FastTierMoves moves, LastChanges lastChanges) {
  /**
   * Plans.
   *
   * @param isOthers whether something is about to happen to a file, or the other kind mends it
   */
  List<RoundPlan.TierMove> plan(String by, LongPredicate isOthers) throws IOException {
    Map<Long, String> inVain = new TreeMap<>();
    Map<Long, String> unkept = new TreeMap<>();
    Map<Long, Integer> replicas = new TreeMap<>();
    for (Map.Entry<Long, String> each :
        notOthers(lastChanges.keptInVain(moves.slow().name()), isOthers).entrySet()) {
      HdfsLocatedFileStatus file = located(each.getKey(), each.getValue());
      if (file != null && lastChanges.storagePolicyBefore(file).isPresent()) {
        inVain.put(each.getKey(), each.getValue());
      } else {
        lastChanges.forgetStoragePolicy(each.getKey());
      }
    }
    for (Map.Entry<Long, String> each :
        notOthers(lastChanges.unkept(tier()), isOthers).entrySet()) {
      HdfsLocatedFileStatus file = located(each.getKey(), each.getValue());
      if (file != null && file.getStoragePolicy() == TierMoves.KEEPING.value()) {
        lastChanges.keeps(each.getKey());
      } else if (file != null && TierMoves.missingBytes(cluster, file, tier()) == 0) {
        // Of a file that left in part the rest leaves, or all of it comes with its policy.
        unkept.put(each.getKey(), each.getValue());
        replicas.put(each.getKey(), (int) file.getReplication());
      }
    }
    List<RoundPlan.TierMove> mends = new ArrayList<>(moves.givingBack(by, inVain, lastChanges));
    mends.addAll(moves.keeping(by, unkept, replicas));
    return mends;
  }

  private String tier() {
    return moves.fast().name();
  }

  private static Map<Long, String> notOthers(Map<Long, String> files, LongPredicate isOthers) {
    files.keySet().removeIf(isOthers::test);
    return files;
  }

  /** Null for a file that is not there. */
  private HdfsLocatedFileStatus located(long fileId, String path) throws IOException {
    HdfsLocatedFileStatus status = cluster.fs().getClient().getLocatedFileInfo(path, false);
    return status != null && status.getFileId() == fileId ? status : null;
  }
}
