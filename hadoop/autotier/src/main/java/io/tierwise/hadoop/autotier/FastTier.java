package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.movement.TierLoad;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.movement.TierPromotions.Claim;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Plans which popular files get a replica in the fast tier, and which of those that the daemon
 * brought there make room. Files that are there by somebody's wish are not its business.
 */
final class FastTier {
  /** In the place of the predictor's name, of files that leave for such as come first. */
  static final String FOR_FIRST = "room for files under an SLA";

  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final Tier fast;
  private final FastTierMoves moves;
  private JobNeeds jobs = JobNeeds.NONE;
  private Set<Long> handedOver = Set.of();

  /** A popular file with its reads to come. */
  record Popular(KnownFile file, double reads) {}

  /**
   * A file that comes first, of which replicas are missing in the fast tier.
   *
   * @param rule its place
   */
  record First(
      String rule, String path, long fileId, long bytes, long missingBytes, int replicas) {}

  /**
   * Files that come first.
   *
   * @param there of those that the daemon brought
   */
  record Firsts(List<First> coming, Set<Long> there) {
    /** None does. */
    static final Firsts NONE = new Firsts(List.of(), Set.of());
  }

  /**
   * Files that are there and may leave, the reads to come of all files that are known, those that
   * come first, and what the daemon changed.
   */
  record There(
      Map<Long, LastChanges.Placed> files,
      Map<Long, Double> reads,
      Firsts firsts,
      LastChanges lastChanges) {
    There(Map<Long, LastChanges.Placed> files, Map<Long, Double> reads, LastChanges lastChanges) {
      this(files, reads, Firsts.NONE, lastChanges);
    }
  }

  /** A file that may come. */
  private record Candidate(
      String by, String path, long bytes, long thereBytes, int replicas, double reads) {}

  /**
   * @throws OperatorException when there is no such tier, it is where replicas are anyway, or
   *     nobody measured it
   */
  FastTier(
      MoverCluster cluster,
      AutotierSettings settings,
      Hardware hardware,
      String name,
      QuotasAbove quotas) {
    this.cluster = cluster;
    this.settings = settings;
    try {
      fast = cluster.tiers().table().require(name);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--fast-tier: " + e.getMessage());
    }
    Tier slow = Hardware.disk(cluster.tiers());
    moves = new FastTierMoves(cluster, settings.moving(), fast, slow, quotas);
    if (fast.index() == slow.index()) {
      throw OperatorException.badInput("--fast-tier " + name + " is where replicas are anyway");
    }
    if (!promotions(TierLoad.IDLE).isMeasured()) {
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
    Map<Long, Candidate> known = candidates(by, popular, here);
    TierPromotions.Choice choice =
        promotions(Volumes.of(cluster, settings, fast, moves.slow()).load())
            .choose(files(known, here, nowSeconds), roomBytes - jobs.reservedBytes());
    choice.why().forEach((id, why) -> left.add(why, known.get(id).path()));
    Map<Long, String> out = new LinkedHashMap<>();
    Map<Long, String> outForFirst = new LinkedHashMap<>();
    choice
        .out()
        .forEach(
            id ->
                (choice.outForFirst().contains(id) ? outForFirst : out)
                    .put(id, there.get(id).path()));
    Map<String, List<FastTierMoves.Coming>> in = new LinkedHashMap<>();
    choice
        .in()
        .forEach(
            (id, saved) -> {
              Candidate file = known.get(id);
              in.computeIfAbsent(file.by(), each -> new ArrayList<>())
                  .add(new FastTierMoves.Coming(file.path(), id, file.replicas(), saved));
            });
    // Those that leave go first: the others need their room.
    List<RoundPlan.TierMove> planned =
        new ArrayList<>(moves.leaving(FOR_FIRST, outForFirst, here.lastChanges(), left));
    planned.addAll(moves.leaving(by, out, here.lastChanges(), left));
    for (Map.Entry<String, List<FastTierMoves.Coming>> each : in.entrySet()) {
      planned.addAll(moves.coming(each.getKey(), each.getValue(), left));
    }
    planned.addAll(
        new PolicyMends(cluster, moves, here.lastChanges())
            .plan(
                by,
                id ->
                    isMendedByJobs(id, here.lastChanges())
                        || choice.in().containsKey(id)
                        || choice.out().contains(id)
                        || jobs.needs(id)));
    handedOver = handed(choice, known, here.lastChanges(), fast.name(), left);
    return planned;
  }

  /** The reason why a file may not come whether it pays or not; empty when it may. */
  Optional<String> refuse(String path) throws IOException {
    return moves.refuse(path);
  }

  /** Reads that pay for a file's way there, while the devices do nothing else. */
  double readsToPay() {
    return promotions(TierLoad.IDLE).readsToPay();
  }

  private TierPromotions promotions(TierLoad load) {
    return new TierPromotions(fast.deviceClass(), moves.slow().deviceClass(), load);
  }

  private static Map<Long, Candidate> candidates(
      String by, Collection<Popular> popular, There here) {
    Map<Long, Candidate> known = new LinkedHashMap<>();
    for (Popular each : popular) {
      KnownFile file = each.file();
      known.put(
          file.fileId(),
          new Candidate(by, file.path(), file.bytes(), 0, file.replicas(), each.reads()));
    }
    for (First each : here.firsts().coming()) {
      known.put(
          each.fileId(),
          new Candidate(
              each.rule(),
              each.path(),
              each.bytes(),
              each.bytes() - each.missingBytes(),
              each.replicas(),
              here.reads().getOrDefault(each.fileId(), 0.0)));
    }
    return known;
  }

  private List<TierPromotions.File> files(
      Map<Long, Candidate> known, There here, double nowSeconds) {
    Set<Long> first = new HashSet<>(here.firsts().there());
    here.firsts().coming().forEach(each -> first.add(each.fileId()));
    List<TierPromotions.File> files = new ArrayList<>();
    here.files()
        .forEach(
            (id, placed) ->
                files.add(
                    new TierPromotions.File(
                        id,
                        // The rest comes only of files that are popular now, or come first.
                        known.containsKey(id) ? known.get(id).bytes() : placed.bytes(),
                        here.reads().getOrDefault(id, 0.0),
                        placed.bytes(),
                        first.contains(id) ? Claim.FIRST : claim(id, placed, nowSeconds))));
    known.forEach(
        (id, file) -> {
          if (!here.files().containsKey(id)) {
            files.add(
                new TierPromotions.File(
                    id,
                    file.bytes(),
                    file.reads(),
                    file.thereBytes(),
                    first.contains(id) ? Claim.FIRST : Claim.USUAL));
          }
        });
    return files;
  }

  private Claim claim(long id, LastChanges.Placed placed, double nowSeconds) {
    if (jobs.needs(id)) {
      return Claim.IN_USE;
    }
    return nowSeconds - placed.seconds() < settings.holdSeconds() ? Claim.HELD : Claim.USUAL;
  }

  private boolean isMendedByJobs(long fileId, LastChanges lastChanges) {
    return settings.prefetching().isPresent() && lastChanges.hasPolicyOfPrefetch(fileId);
  }

  /** None of their blocks moves but those that a prefetch did not reach. */
  private static Set<Long> handed(
      TierPromotions.Choice choice,
      Map<Long, Candidate> known,
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
    return new FastTierMoves(cluster, bounds, moves.fast(), moves.slow(), moves.quotas());
  }

  /** Files that get other replicas now are moved in a later round, when these are there. */
  static Set<Long> changing(List<RoundPlan.Change> changes) {
    Set<Long> files = new HashSet<>();
    changes.forEach(change -> files.add(change.fileId()));
    return files;
  }
}
