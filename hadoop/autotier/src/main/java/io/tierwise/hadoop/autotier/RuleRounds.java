package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.rules.RuleAction;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Rules over rounds: going through all of their files takes as many rounds as its calls need, and
 * what they ask for is done when all of it is known.
 */
final class RuleRounds {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final LastChanges lastChanges;
  private final QuotasAbove quotas;
  private RuleBook book = RuleBook.EMPTY;
  private JobNeeds jobs = JobNeeds.NONE;
  private Turn turn = Turn.UNBOUNDED;
  private RulePass pass;
  private double overSeconds;
  private String goesOn = "";

  /** The bounds of a round. */
  record Turn(long pathsMax, long nanosMax, WalkTurns.Pulse pulse) {
    /** All at once. */
    static final Turn UNBOUNDED =
        new Turn(Long.MAX_VALUE, TimeUnit.DAYS.toNanos(365), WalkTurns.Pulse.NONE);
  }

  /**
   * The changes that rules ask for in a round.
   *
   * @param first files that come first into the fast tier
   * @param unread lines about what they could not look at
   */
  record Ruled(
      RuleRooms rooms,
      List<RoundPlan.Change> changes,
      List<TierMoves.Moving> moves,
      List<FastTier.First> first,
      List<StoreMove> offloads,
      List<RoundPlan.RuleOutcome> outcomes,
      List<String> unread) {
    /** To which files that stay are added. */
    LeftFiles left() {
      LeftFiles left = new LeftFiles();
      unread.forEach(line -> left.note(line, ""));
      return left;
    }
  }

  RuleRounds(
      MoverCluster cluster,
      AutotierSettings settings,
      LastChanges lastChanges,
      QuotasAbove quotas) {
    this.cluster = cluster;
    this.settings = settings;
    this.lastChanges = lastChanges;
    this.quotas = quotas;
  }

  void obey(RuleBook rules) {
    book = rules;
  }

  /** Files that jobs need do not go to the secondary store. */
  void heed(JobNeeds needs) {
    jobs = needs;
  }

  void bound(Turn each) {
    turn = each;
  }

  /**
   * Goes on. What was found when all files were looked at is kept until the round was made ({@link
   * #roundMade}): when the cluster is in trouble, or somebody pauses, the same round is planned
   * again.
   */
  Ruled look(RulePass.Sight sight, Hardware hardware) throws IOException {
    if (pass == null || isOld(sight)) {
      pass =
          new RulePass(
              new RulePass.Sources(cluster, settings, lastChanges, quotas),
              book,
              hardware.usualReplicas(),
              jobs);
      overSeconds = Double.POSITIVE_INFINITY;
    }
    RulePass going = pass;
    pass = null; // One that fails is begun again.
    boolean over =
        book.entries().isEmpty()
            || going.goOn(sight, turn.pathsMax(), turn.nanosMax(), turn.pulse());
    pass = going;
    if (!over) {
      goesOn =
          "rules have looked at "
              + Words.count(going.paths(), "path")
              + " (--calls) and go on in the next round";
      return new Ruled(
          new RuleRooms(book, List.of(), hardware),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());
    }
    overSeconds = Math.min(overSeconds, sight.nowSeconds());
    goesOn = "";
    RuleHits hits = going.hits();
    RuleRooms rooms = new RuleRooms(book, hits.asked(), hardware);
    Set<String> refused = rooms.refused().keySet();
    return new Ruled(
        rooms,
        hits.changes(refused),
        hits.moves(refused),
        hits.first(),
        new StoreMoves(cluster, settings).plan(hits.offloads()),
        hits.outcomes(rooms.refused()),
        hits.unreadLines());
  }

  /** Own: after two windows files may have changed since they were looked at, or be gone. */
  private boolean isOld(RulePass.Sight sight) {
    return sight.nowSeconds() - overSeconds > 2 * settings.windowMillis() / 1e3;
  }

  /** It was made: when all files were looked at for it, the next one begins anew. */
  void roundMade() {
    if (goesOn.isEmpty()) {
      pass = null;
    }
  }

  /** How far they are, while not all of their files were looked at; else empty. */
  String goesOn() {
    return goesOn;
  }

  /**
   * Whether a rule decides about the replicas of the file and their tiers, or will when more is
   * known of those above it.
   */
  boolean decides(KnownFile file, RulePass.Sight sight) {
    return decides(RulePass.Seen.of(file), sight);
  }

  /** The same for a file that was looked up. */
  boolean decides(String path, HdfsFileStatus status, RulePass.Sight sight) {
    return decides(RulePass.Seen.of(path, status), sight);
  }

  private boolean decides(RulePass.Seen file, RulePass.Sight sight) {
    return book.entries().stream()
        .filter(entry -> RulePass.isForCertain(entry, file, sight))
        .findFirst()
        .filter(entry -> !(entry.rule().action() instanceof RuleAction.Sla))
        .isPresent();
  }

  /**
   * Whether any rule is for the file, or may be when more is known: popularity then sends it to no
   * secondary store. Files of an SLA stay at any time of day.
   */
  boolean mayBeAbout(KnownFile file, RulePass.Sight sight) {
    return book.entries().stream()
        .anyMatch(entry -> RulePass.mayBeFor(entry, RulePass.Seen.of(file), sight));
  }

  /** Whether files come first, by any rule and at any time. */
  boolean hasSla() {
    return book.hasSla();
  }

  /** Whether the file comes first now. */
  boolean isFirst(RulePass.Seen file, RulePass.Sight sight) {
    return hasSla()
        && RulePass.ruleFor(book, file, sight)
            .filter(
                rule ->
                    rule.action() instanceof RuleAction.Sla sla
                        && book.isDue(sla, sight.nowSeconds(), settings.holdSeconds()))
            .isPresent();
  }

  /** The runs of the mover that rules ask for. */
  List<RoundPlan.TierMove> moves(Ruled ruled) throws IOException {
    return new TierMoves(cluster, settings, book).plan(ruled.moves());
  }

  /** Ends what stands still. */
  void end() {
    if (pass != null) {
      pass.end();
    }
  }
}
