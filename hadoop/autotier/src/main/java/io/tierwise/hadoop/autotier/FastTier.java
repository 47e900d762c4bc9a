package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.movement.TierPromotions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Plans which popular files get a replica in the fast tier, and which of those that the daemon
 * brought there make room. Files that are there by somebody's wish are not its business.
 */
final class FastTier {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final Tier fast;
  private final TierPromotions promotions;
  private final FastTierMoves moves;
  private JobNeeds jobs = JobNeeds.NONE;
  private Set<Long> handedOver = Set.of();

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
    Tier slow = Hardware.disk(cluster.tiers());
    moves = new FastTierMoves(cluster, settings.moving(), fast, slow);
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
   * took out again, that never came, or were renamed to where others decide, are forgotten; those
   * that a rule decides about are the rule's.
   */
  Map<Long, LastChanges.Placed> there(
      LastChanges lastChanges, BiPredicate<String, HdfsFileStatus> ruled, double nowSeconds)
      throws IOException {
    return new PlacedFiles(cluster, settings, fast.name())
        .there(lastChanges.placedIn(fast.name()), lastChanges, ruled, nowSeconds);
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
                    // The rest comes only of files that are popular now.
                    known.containsKey(id) ? known.get(id).bytes() : placed.bytes(),
                    here.reads().getOrDefault(id, 0.0),
                    placed.bytes(),
                    nowSeconds - placed.seconds() < settings.holdSeconds() || jobs.needs(id))));
    for (Popular each : popular) {
      if (!there.containsKey(each.file().fileId())) {
        files.add(
            new TierPromotions.File(
                each.file().fileId(), each.file().bytes(), each.reads(), 0, false));
      }
    }
    TierPromotions.Choice choice = promotions.choose(files, roomBytes - jobs.reservedBytes());
    choice.why().forEach((id, why) -> left.add(why, known.get(id).path()));
    Map<Long, String> out = new LinkedHashMap<>();
    choice.out().forEach(id -> out.put(id, there.get(id).path()));
    List<FastTierMoves.Coming> in = new ArrayList<>();
    choice
        .in()
        .forEach(
            (id, saved) -> {
              KnownFile file = known.get(id);
              in.add(new FastTierMoves.Coming(file.path(), id, file.replicas(), saved));
            });
    // Those that leave go first: the others need their room.
    List<RoundPlan.TierMove> planned =
        new ArrayList<>(moves.leaving(by, out, here.lastChanges(), left));
    planned.addAll(moves.coming(by, in, left));
    planned.addAll(
        new PolicyMends(cluster, moves, here.lastChanges())
            .plan(
                by,
                id ->
                    isMendedByJobs(id, here.lastChanges())
                        || choice.in().containsKey(id)
                        || out.containsKey(id)
                        || jobs.needs(id)));
    handedOver = handed(choice, known, here.lastChanges(), fast.name(), left);
    return planned;
  }

  private boolean isMendedByJobs(long fileId, LastChanges lastChanges) {
    return settings.prefetching().isPresent() && lastChanges.hasPolicyOfPrefetch(fileId);
  }

  /** None of their blocks moves but those that a prefetch did not reach. */
  private static Set<Long> handed(
      TierPromotions.Choice choice,
      Map<Long, KnownFile> known,
      LastChanges lastChanges,
      String tier,
      LeftFiles left) {
    Set<Long> handed = new TreeSet<>(lastChanges.prefetchedIn(tier).keySet());
    handed.retainAll(choice.in().keySet());
    handed.forEach(
        id ->
            left.add(
                "it was prefetched for a job, and stays as a popular one", known.get(id).path()));
    return handed;
  }

  /** What popular files leave to jobs. */
  void heed(JobNeeds needs) {
    jobs = needs;
  }

  /**
   * The plan is carried out: what was prefetched and is popular by it stays as a popular file. It
   * stands nowhere: a daemon that begins again finds it popular anew.
   *
   * @return the files
   */
  Set<Long> takeOver(LastChanges lastChanges) {
    Set<Long> files = handedOver;
    handedOver = Set.of();
    files.forEach(lastChanges::popular);
    return files;
  }

  /** The name of the tier. */
  String name() {
    return fast.name();
  }

  /** Moves to it and away from it, within other bounds. */
  FastTierMoves moves(MoverSettings bounds) {
    return new FastTierMoves(cluster, bounds, moves.fast(), moves.slow());
  }

  /** Files that get other replicas now are moved in a later round, when these are there. */
  static Set<Long> changing(List<RoundPlan.Change> changes) {
    Set<Long> files = new HashSet<>();
    changes.forEach(change -> files.add(change.fileId()));
    return files;
  }
}
