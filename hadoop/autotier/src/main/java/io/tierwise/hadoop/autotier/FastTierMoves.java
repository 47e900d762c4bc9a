package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Plans the mover's runs that bring files to the fast tier, and those that take them out. */
record FastTierMoves(
    MoverCluster cluster, MoverSettings settings, Tier fast, Tier slow, QuotasAbove quotas) {
  /**
   * A file that comes.
   *
   * @param savedSeconds of its readers
   */
  record Coming(String path, long fileId, int replicas, double savedSeconds) {}

  /**
   * Those that leave; what they had before the daemon brought them, they get back.
   *
   * @param paths by file
   * @param left is told why a run would move nothing
   */
  List<RoundPlan.TierMove> leaving(
      String by, Map<Long, String> paths, LastChanges lastChanges, LeftFiles left)
      throws IOException {
    List<RoundPlan.TierMove> moves = new ArrayList<>();
    for (RoundPlan.TierMove move : away(by, paths, lastChanges)) {
      add(moves, move, left);
    }
    return moves;
  }

  /** Files of which nothing came get back the storage policy that they had. */
  List<RoundPlan.TierMove> givingBack(String by, Map<Long, String> paths, LastChanges lastChanges)
      throws IOException {
    List<RoundPlan.TierMove> moves = away(by, paths, lastChanges);
    moves.removeIf(move -> move.storagePolicies().isEmpty());
    return moves;
  }

  /**
   * Files that are there get the storage policy with which they stay.
   *
   * @param replicas of each file
   */
  List<RoundPlan.TierMove> keeping(String by, Map<Long, String> paths, Map<Long, Integer> replicas)
      throws IOException {
    Map<String, Map<String, Long>> byLayout = new TreeMap<>();
    Map<String, String> kept = TierMoves.keeping(cluster, fast.name(), paths.values());
    for (Map.Entry<Long, String> each : paths.entrySet()) {
      if (kept.containsKey(each.getValue())) {
        byLayout
            .computeIfAbsent(
                TierMoves.layout(fast.name(), replicas.get(each.getKey())),
                layout -> new LinkedHashMap<>())
            .put(each.getValue(), each.getKey());
      }
    }
    List<RoundPlan.TierMove> moves = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> each : byLayout.entrySet()) {
      Map<String, String> theirs = new HashMap<>(kept);
      theirs.keySet().retainAll(each.getValue().keySet());
      moves.add(move(by, fast.name(), each.getKey(), each.getValue(), theirs, null));
    }
    return moves;
  }

  private List<RoundPlan.TierMove> away(String by, Map<Long, String> paths, LastChanges lastChanges)
      throws IOException {
    Map<String, Map<String, Long>> byLayout = new TreeMap<>();
    Map<String, String> before = new HashMap<>();
    for (Map.Entry<Long, String> each : paths.entrySet()) {
      String path = each.getValue();
      HdfsFileStatus status = cluster.fs().getClient().getFileInfo(path);
      if (status != null && status.getFileId() == each.getKey()) {
        byLayout
            .computeIfAbsent(
                status.getReplication() + " x " + slow.name(), layout -> new LinkedHashMap<>())
            .put(path, each.getKey());
        lastChanges.storagePolicyBefore(status).ifPresent(name -> before.put(path, name));
      }
    }
    List<RoundPlan.TierMove> moves = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> each : byLayout.entrySet()) {
      Map<String, String> back = new HashMap<>(before);
      back.keySet().retainAll(each.getValue().keySet());
      moves.add(move(by, slow.name(), each.getKey(), each.getValue(), back, null));
    }
    return moves;
  }

  /** The reason why a file may not come; empty when it may. */
  Optional<String> refuse(String path) throws IOException {
    return quotas.refuse(path, fast);
  }

  /** Those that come, in this order. */
  List<RoundPlan.TierMove> coming(String by, Collection<Coming> files, LeftFiles left)
      throws IOException {
    Map<String, Map<String, Long>> byLayout = new LinkedHashMap<>();
    Map<String, Double> saved = new HashMap<>();
    for (Coming file : files) {
      String layout = TierMoves.layout(fast.name(), file.replicas());
      byLayout
          .computeIfAbsent(layout, each -> new LinkedHashMap<>())
          .put(file.path(), file.fileId());
      saved.merge(layout, file.savedSeconds(), Double::sum);
    }
    List<RoundPlan.TierMove> moves = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> each : byLayout.entrySet()) {
      String layout = each.getKey();
      Map<String, String> kept = TierMoves.keeping(cluster, fast.name(), each.getValue().keySet());
      add(moves, move(by, fast.name(), layout, each.getValue(), kept, saved.get(layout)), left);
    }
    return moves;
  }

  private RoundPlan.TierMove move(
      String by,
      String tier,
      String layout,
      Map<String, Long> files,
      Map<String, String> storagePolicies,
      Double saved)
      throws IOException {
    MoverReport plan = TierMoves.job(cluster, layout, files, storagePolicies).plan(settings);
    return new RoundPlan.TierMove(by, tier, layout, files, storagePolicies, saved, plan);
  }

  /** One that would move nothing is left out, and says why. */
  private static void add(List<RoundPlan.TierMove> moves, RoundPlan.TierMove move, LeftFiles left) {
    if (move.moves().moved().replicas() > 0) {
      moves.add(move);
    } else {
      move.moves().left().forEach(one -> left.add(one.reason(), one.files(), one.example()));
    }
  }
}
