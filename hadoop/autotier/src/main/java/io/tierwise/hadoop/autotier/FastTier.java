package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.policies.movement.TierPromotions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Plans which popular files get a replica in the fast tier, and which of those that the daemon
 * brought there make room. Files that are there by somebody's wish are not its business.
 */
final class FastTier {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final Tier fast;
  private final Tier slow;
  private final TierPromotions promotions;

  /** A popular file with its reads to come. */
  record Popular(KnownFile file, double reads) {}

  /**
   * Files that are there and may leave, the reads to come of all files that are known, and what the
   * daemon changed.
   */
  record There(
      Map<Long, LastChanges.Placed> files, Map<Long, Double> reads, LastChanges lastChanges) {}

  /**
   * @throws OperatorException when there is no such tier, it is where replicas are anyway, or
   *     nobody measured it
   */
  FastTier(MoverCluster cluster, AutotierSettings settings, Hardware hardware, String name) {
    this.cluster = cluster;
    this.settings = settings;
    try {
      fast = cluster.tiers().table().require(name);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--fast-tier: " + e.getMessage());
    }
    slow = Hardware.disk(cluster.tiers());
    promotions = new TierPromotions(fast.deviceClass(), slow.deviceClass());
    if (fast.index() == slow.index()) {
      throw OperatorException.badInput("--fast-tier " + name + " is where replicas are anyway");
    }
    if (!promotions.isMeasured()) {
      throw OperatorException.badInput(
          "--fast-tier "
              + name
              + ": nobody measured how fast "
              + name
              + " and "
              + slow.name()
              + " read and write, so that nobody knows what pays: 'tierwise tiers probe' on a node"
              + " of each says what to write into the tier table");
    }
    if (!hardware.isSuperuser()) {
      throw OperatorException.badInput(
          "--fast-tier " + name + ": moving replicas to a tier needs HDFS's superuser");
    }
  }

  /**
   * Files that the daemon brought there and that may leave. Those that were deleted, that somebody
   * took out again, or renamed to where others decide, are forgotten; those that a rule decides
   * about are the rule's.
   */
  Map<Long, LastChanges.Placed> there(
      LastChanges lastChanges, BiPredicate<String, HdfsFileStatus> ruled) throws IOException {
    Map<Long, LastChanges.Placed> there = new TreeMap<>();
    for (Map.Entry<Long, LastChanges.Placed> each : lastChanges.placedIn(fast.name()).entrySet()) {
      long id = each.getKey();
      LastChanges.Placed placed = each.getValue();
      HdfsLocatedFileStatus now = located(id, placed.path());
      if (now == null) {
        Optional<String> renamed = CurrentPath.of(cluster.fs().getClient(), id);
        if (renamed.isPresent() && isOurs(renamed.get())) {
          placed = lastChanges.renamed(id, renamed.get());
          now = located(id, placed.path());
        }
      }
      if (now == null || wasTakenOut(now, lastChanges)) {
        lastChanges.forgetPlaced(id);
      } else if (!ruled.test(placed.path(), now)) {
        there.put(id, placed);
      }
    }
    return there;
  }

  /** A replica that only a fault took is brought back by HDFS where its storage policy wants it. */
  private boolean wasTakenOut(HdfsLocatedFileStatus file, LastChanges lastChanges) {
    return lastChanges.storagePolicyBefore(file).isEmpty()
        && TierMoves.missingBytes(cluster, file, fast.name()) >= Math.max(1, file.getLen());
  }

  /** Null for a file that is not there. */
  private HdfsLocatedFileStatus located(long fileId, String path) throws IOException {
    HdfsLocatedFileStatus status = cluster.fs().getClient().getLocatedFileInfo(path, false);
    return status != null && status.getFileId() == fileId ? status : null;
  }

  private boolean isOurs(String path) throws IOException {
    return settings.covers(path) && ReplicaPlanner.policyOf(cluster, path).isEmpty();
  }

  /**
   * Plans.
   *
   * @param popular files that no rule decided about and nobody else places
   * @param roomBytes of the tier, beyond what rules take
   * @param left is told why others do not come
   */
  List<RoundPlan.TierMove> plan(
      String by,
      Collection<Popular> popular,
      There here,
      long roomBytes,
      double nowSeconds,
      LeftFiles left)
      throws IOException {
    Map<Long, LastChanges.Placed> there = here.files();
    Map<Long, KnownFile> known = new HashMap<>();
    popular.forEach(each -> known.put(each.file().fileId(), each.file()));
    List<TierPromotions.File> files = new ArrayList<>();
    there.forEach(
        (id, placed) ->
            files.add(
                new TierPromotions.File(
                    id,
                    placed.bytes(),
                    here.reads().getOrDefault(id, 0.0),
                    true,
                    nowSeconds - placed.seconds() < settings.holdSeconds())));
    for (Popular each : popular) {
      if (!there.containsKey(each.file().fileId())) {
        files.add(
            new TierPromotions.File(
                each.file().fileId(), each.file().bytes(), each.reads(), false, false));
      }
    }
    TierPromotions.Choice choice = promotions.choose(files, roomBytes);
    choice.why().forEach((id, why) -> left.add(why, known.get(id).path()));
    List<RoundPlan.TierMove> moves = new ArrayList<>(leaving(by, choice.out(), here, left));
    moves.addAll(coming(by, choice.in(), known, left));
    return moves;
  }

  /** They go first: the others need their room. */
  private List<RoundPlan.TierMove> leaving(String by, List<Long> out, There here, LeftFiles left)
      throws IOException {
    Map<String, Map<String, Long>> byLayout = new TreeMap<>();
    Map<String, String> before = new HashMap<>();
    for (long id : out) {
      String path = here.files().get(id).path();
      HdfsFileStatus status = cluster.fs().getClient().getFileInfo(path);
      if (status != null && status.getFileId() == id) {
        byLayout
            .computeIfAbsent(
                status.getReplication() + " x " + slow.name(), layout -> new LinkedHashMap<>())
            .put(path, id);
        here.lastChanges().storagePolicyBefore(status).ifPresent(name -> before.put(path, name));
      }
    }
    List<RoundPlan.TierMove> moves = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> each : byLayout.entrySet()) {
      Map<String, String> back = new HashMap<>(before);
      back.keySet().retainAll(each.getValue().keySet());
      add(moves, move(by, slow.name(), each.getKey(), each.getValue(), back, null), left);
    }
    return moves;
  }

  private List<RoundPlan.TierMove> coming(
      String by, Map<Long, Double> in, Map<Long, KnownFile> known, LeftFiles left)
      throws IOException {
    Map<String, Map<String, Long>> byLayout = new LinkedHashMap<>();
    Map<String, Double> saved = new HashMap<>();
    in.forEach(
        (id, seconds) -> {
          KnownFile file = known.get(id);
          String layout = TierMoves.layout(fast.name(), file.replicas());
          byLayout.computeIfAbsent(layout, each -> new LinkedHashMap<>()).put(file.path(), id);
          saved.merge(layout, seconds, Double::sum);
        });
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
    MoverReport plan =
        TierMoves.job(cluster, layout, files, storagePolicies).plan(settings.moving());
    return new RoundPlan.TierMove(by, tier, layout, files, storagePolicies, saved, plan);
  }

  /** One that would move nothing is left out, and says why. */
  private static void add(List<RoundPlan.TierMove> moves, RoundPlan.TierMove move, LeftFiles left) {
    if (move.moves().moved().replicas() > 0) {
      moves.add(move);
    } else {
      move.moves().left().forEach(one -> left.add(one.reason(), one.example()));
    }
  }

  /** The name of the tier. */
  String name() {
    return fast.name();
  }

  /** Files that get other replicas now are moved in a later round, when these are there. */
  static Set<Long> changing(List<RoundPlan.Change> changes) {
    Set<Long> files = new HashSet<>();
    changes.forEach(change -> files.add(change.fileId()));
    return files;
  }
}
