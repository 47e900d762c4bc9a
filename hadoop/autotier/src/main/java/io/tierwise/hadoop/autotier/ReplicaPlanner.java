package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.autotier.WantedReplicas.Wanted;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.PopularityDecisions;
import io.tierwise.policies.movement.PromotionOdds;
import io.tierwise.policies.movement.ReadsToCome;
import io.tierwise.policies.movement.ReplicaHold;
import io.tierwise.policies.movement.ReplicaWorth;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Asks the decision engine at the end of each window, and makes a plan of what it wants: what pays,
 * does not flap, finds room and is nobody else's.
 */
final class ReplicaPlanner implements WindowFeed.Listener {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final PopularityDecisions decisions;
  private final LastChanges lastChanges;
  private final Supplier<ReadHistory> history;
  private final PopularityState state = new PopularityState();
  private final ReplicaHold hold;
  private final Claims claims;
  private final ReadsToCome toCome;
  private final WantedReplicas wantedReplicas;
  private final KnownFiles files;
  private final Optional<FastTier> fastTier;

  /** Empty where what pays on the average is enough. */
  private final Optional<PromotionOdds> odds;

  private final RuleRounds rules;
  private final DirectoryShares shares;
  private final UnpopularFiles unpopular;
  private final PopularMoves popularMoves;
  private JobNeeds jobs = JobNeeds.NONE;
  private Hardware hardware;

  /** The answer about the last window that ended; null when its round was made. */
  private Wish last;

  /** The answer that a round is made by. */
  private Wish planned;

  /** The last window that ended, as long as its files could not be looked at; else null. */
  private UseWindow unseen;

  /** The answer of the engine about a window. */
  private record Wish(ShareUse.Window use, long readFiles, List<Wanted> all) {}

  ReplicaPlanner(
      MoverCluster cluster,
      AutotierSettings settings,
      LastChanges lastChanges,
      Supplier<ReadHistory> history)
      throws IOException {
    this.cluster = cluster;
    this.settings = settings;
    this.lastChanges = lastChanges;
    this.history = history;
    decisions = settings.decisions();
    hardware = Hardware.of(cluster, settings);
    QuotasAbove quotas = new QuotasAbove(cluster);
    fastTier =
        settings.fastTier().map(name -> new FastTier(cluster, settings, hardware, name, quotas));
    odds =
        fastTier
            .filter(any -> settings.sureOnly())
            .map(fast -> new PromotionOdds(settings.holdWindows(), fast.readsToPay()));
    hold = new ReplicaHold(settings.holdWindows(), settings.windowMillis() / 1e3);
    claims = new Claims(cluster, lastChanges, hold);
    toCome = new ReadsToCome(settings.holdWindows());
    wantedReplicas = new WantedReplicas(decisions.predictor().name(), hold);
    files = new KnownFiles(cluster.fs(), settings);
    rules = new RuleRounds(cluster, settings, lastChanges, quotas);
    shares = new DirectoryShares(cluster, settings, hardware);
    unpopular =
        new UnpopularFiles(
            new UnpopularFiles.Sources(cluster, files, claims, lastChanges, wantedReplicas, rules),
            settings);
    popularMoves =
        new PopularMoves(
            new PopularMoves.Sources(cluster, files, claims, lastChanges, rules),
            decisions.predictor(),
            fastTier);
  }

  @Override
  public void begins(int file, int formerReads) {
    files.begins(file);
    unpopular.begins(file);
    hold.forget(file);
    toCome.begins(file, formerReads);
    odds.ifPresent(each -> each.begins(file, formerReads));
    state.grow(file + 1);
    state.forget(file);
    if (unseen != null) {
      unseen.renew(file);
    }
  }

  @Override
  public void windowEnded(UseWindow window) {
    if (unseen != null) {
      // The next one has ended before: its reads count, with files as they were seen last.
      wish(unseen, state, unseen.endSeconds());
    }
    toCome.note(window);
    odds.ifPresent(each -> each.note(window));
    last = null;
    unseen = window.copy();
    if (files.fill(unseen, history.get().report()).isEmpty()) {
      decide();
    }
  }

  private void decide() {
    last = wish(unseen, state, unseen.endSeconds());
    unseen = null;
    for (Wanted wanted : last.all()) {
      hold.note(wanted.number(), files.file(wanted.number()).replicas(), wanted.replicas());
    }
  }

  /**
   * The plan of the last window that ended; empty before one has, and when its round {@link
   * #roundMade was made}.
   *
   * @throws OperatorException when files could not be looked at: they are at the next call
   */
  Optional<RoundPlan> ofLastWindow(double nowSeconds) throws IOException {
    lookAgain();
    planned = last;
    return last == null ? Optional.empty() : Optional.of(plan(last, nowSeconds));
  }

  /**
   * The plan as if the window that runs ended now, instead of that of the last one.
   *
   * @throws OperatorException likewise
   */
  RoundPlan ofRunning(UseWindow window, double nowSeconds) throws IOException {
    lookAgain();
    look(window);
    planned = last;
    return plan(wish(window, state.copy(), nowSeconds), nowSeconds);
  }

  /** What was planned last was carried out. A window may have ended meanwhile. */
  @SuppressWarnings(
      "ReferenceEquality") // another answer of the same content is no less another one
  void roundMade() {
    if (last == planned) {
      last = null;
    }
  }

  /** Decides about a window that ended while the NameNode was away. */
  private void lookAgain() {
    if (unseen != null) {
      look(unseen);
      decide();
    }
  }

  /** Files that could not be looked at would be taken for files that are not there. */
  private void look(UseWindow window) {
    Optional<String> away = files.fill(window, history.get().report());
    if (away.isPresent()) {
      throw OperatorException.cluster(away.get(), null);
    }
  }

  /** What the engine answers about a window of which it is told which files exist. */
  private Wish wish(UseWindow window, PopularityState remembered, double nowSeconds) {
    RulePass.Sight sight = sight(nowSeconds);
    IntPredicate first = first(sight);
    IntPredicate mustStay =
        number -> files.file(number) != null && rules.mayBeAbout(files.file(number), sight);
    PopularityDecisions.Answer answer =
        decisions.decide(
            window,
            remembered,
            files.bytes(),
            new PopularityDecisions.Bounds(
                hardware.usualReplicas(), hardware.replicasMax(), mustStay, first));
    List<Wanted> all = new ArrayList<>();
    long readFiles = 0;
    for (int number = 0; number < window.fileCount(); number++) {
      if (files.file(number) != null) {
        readFiles += window.reads(number) > 0 ? 1 : 0;
        all.add(
            new Wanted(
                number,
                answer.predicted()[number],
                answer.replicas()[number],
                new ReplicaWorth.Reads(
                    toCome.expected(window.reads(number)), window.readersMax(number)),
                first.test(number),
                isSure(window, number)));
      }
    }
    return new Wish(shares.use(window, files), readFiles, all);
  }

  private boolean isSure(UseWindow window, int file) {
    return odds.isEmpty() || odds.get().atLeast(window, file) >= PromotionOdds.SURE;
  }

  private RulePass.Sight sight(double nowSeconds) {
    return new RulePass.Sight(
        history.get().report(), history.get().counted(nowSeconds), nowSeconds);
  }

  /** By number, the files that come first. */
  private IntPredicate first(RulePass.Sight sight) {
    return number ->
        rules.hasSla()
            && files.file(number) != null
            && rules.isFirst(RulePass.Seen.of(files.file(number)), sight);
  }

  /** Files that jobs need keep their replicas and their store, and jobs' room is not taken. */
  void heed(JobNeeds needs) {
    jobs = needs;
    rules.heed(needs);
    fastTier.ifPresent(fast -> fast.heed(needs));
  }

  /** The fast tier, where there is one. */
  Optional<FastTier> fastTier() {
    return fastTier;
  }

  /** The rules that come first. */
  RuleRounds rules() {
    return rules;
  }

  /**
   * Checks what was asked for against the cluster before anything runs.
   *
   * @param keptMillis for which reads are kept
   */
  void check(long keptMillis, StoreRuns stores) throws IOException {
    unpopular.check(decisions.predictor(), keptMillis, stores);
  }

  /** Bounds what rules and shares look at in a round. */
  void bound(RuleRounds.Turn each) {
    rules.bound(each);
    shares.bound(each);
  }

  /** Hears that time passes while files are looked up. */
  void beat(WalkTurns.Pulse pulse) {
    files.beat(pulse);
  }

  Hardware hardware() {
    return hardware;
  }

  private RoundPlan plan(Wish wish, double nowSeconds) throws IOException {
    hardware = Hardware.of(cluster, settings);
    RulePass.Sight sight = sight(nowSeconds);
    RuleRounds.Ruled ruled = rules.look(sight, hardware);
    ReplicaWorth worth =
        new ReplicaWorth(Hardware.disk(cluster.tiers()).deviceClass(), hardware.usualReplicas());
    List<Wanted> popular = new ArrayList<>(wish.all());
    popular.sort(Comparator.comparing(Wanted::isFirst).thenComparing(Wanted::predicted).reversed());
    List<RoundPlan.Change> changes = new ArrayList<>(ruled.changes());
    LeftFiles left = ruled.left();
    files.others().forEach(one -> left.add(one.reason(), one.files(), one.example()));
    UnpopularFiles.Chosen store =
        unpopular.choose(decisions.predictor().name(), popular, now(sight), left);
    long room = ruled.rooms().roomBytes();
    for (Wanted asked : popular) {
      Wanted wanted = asked.inPrimary(hardware.usualReplicas());
      KnownFile file = files.file(wanted.number());
      if (file == null || file.isStored() || file.replicas() == wanted.replicas()) {
        continue;
      }
      // Others stay as they were seen last, and somebody may have changed this one since.
      file = files.again(wanted.number());
      if (file == null
          || file.isStored()
          || file.replicas() == wanted.replicas()
          || rules.decides(file, sight)) {
        continue;
      }
      Optional<String> untouched = claims.untouched(file, hardware.usualReplicas(), nowSeconds);
      if (untouched.isEmpty() && wanted.replicas() < file.replicas() && jobs.needs(file.fileId())) {
        untouched = Optional.of(RuleHits.NEEDED);
      }
      if (untouched.isPresent()) {
        left.add(untouched.get(), file.path());
        continue;
      }
      Optional<RoundPlan.Change> change =
          wanted.replicas() > file.replicas()
              ? wantedReplicas.more(file, wanted, worth, room, left)
              : wantedReplicas.fewer(file, wanted, left);
      if (change.isPresent()) {
        room -= change.get().storedBytes();
        changes.add(change.get());
      }
    }
    return new RoundPlan(
        decisions.predictor().name(),
        time(wish.use().sinceSeconds()),
        time(wish.use().untilSeconds()),
        files.count(),
        wish.readFiles(),
        changes,
        popularMoves.plan(popular, ruled, changes, sight, left),
        Stream.concat(ruled.offloads().stream(), store.offloads().stream()).toList(),
        store.recalls(),
        shares.choose(wish.use(), nowSeconds, left),
        new RoundPlan.Heard(sight.counted().seconds(), sight.counted().why()),
        ruled.outcomes(),
        left.list(),
        null);
  }

  /**
   * Asks again about the unpopular files of the last plan while they are moved.
   *
   * @param needed is told of each that stays, with a reason
   */
  void askAgain(double nowSeconds, BiConsumer<String, String> needed) {
    unpopular.askAgain(now(sight(nowSeconds)), needed);
  }

  private UnpopularFiles.Now now(RulePass.Sight sight) {
    return new UnpopularFiles.Now(sight, hardware.usualReplicas(), jobs);
  }

  private static String time(double seconds) {
    return Instant.ofEpochSecond((long) seconds).toString();
  }

  /** Runs of the mover were made. */
  void moved(Journal journal, List<String> ids) {
    ids.forEach(id -> lastChanges.add(PastRun.read(journal, id)));
    // A mark is somewhat younger than its line in the journal.
    lastChanges.forgetPast(settings.fastTier(), 2 * settings.holdSeconds());
  }

  /** A change was made. */
  void made(RoundPlan.Change change) {
    if (change.number() >= 0) {
      hold.forget(change.number());
      files.made(change.number(), change.after());
    }
  }
}
