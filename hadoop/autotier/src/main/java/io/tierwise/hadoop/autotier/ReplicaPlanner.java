package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.autotier.WantedReplicas.Wanted;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.PopularityDecisions;
import io.tierwise.policies.movement.ReadsToCome;
import io.tierwise.policies.movement.ReplicaHold;
import io.tierwise.policies.movement.ReplicaWorth;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

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
  private final ReadsToCome toCome;
  private final WantedReplicas wantedReplicas;
  private final KnownFiles files;
  private final Optional<FastTier> fastTier;
  private final RuleRounds rules;
  private final DirectoryShares shares;
  private JobNeeds jobs = JobNeeds.NONE;
  private Hardware hardware;
  private Wish last;
  private String away = "";

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
    fastTier = settings.fastTier().map(name -> new FastTier(cluster, settings, hardware, name));
    hold = new ReplicaHold(settings.holdWindows(), settings.windowMillis() / 1e3);
    toCome = new ReadsToCome(settings.holdWindows());
    wantedReplicas = new WantedReplicas(decisions.predictor().name(), hold);
    files = new KnownFiles(cluster.fs(), settings);
    rules = new RuleRounds(cluster, settings, lastChanges);
    shares = new DirectoryShares(cluster, settings, hardware);
  }

  @Override
  public void begins(int file) {
    files.begins(file);
    hold.forget(file);
    toCome.begins(file);
    state.grow(file + 1);
    state.forget(file);
  }

  @Override
  public void windowEnded(UseWindow window) {
    toCome.note(window);
    last = wish(window, state, window.endSeconds());
    for (Wanted wanted : last.all()) {
      hold.note(wanted.number(), files.file(wanted.number()).replicas(), wanted.replicas());
    }
  }

  /** The plan of the last window that ended; empty before one has, and after it was made. */
  Optional<RoundPlan> ofLastWindow(double nowSeconds) throws IOException {
    if (last == null) {
      return Optional.empty();
    }
    RoundPlan plan = plan(last, nowSeconds);
    last = null;
    return Optional.of(plan);
  }

  /** The plan as if the window that runs ended now, instead of that of the last one. */
  RoundPlan ofRunning(UseWindow window, double nowSeconds) throws IOException {
    RoundPlan plan = plan(wish(window, state.copy(), nowSeconds), nowSeconds);
    last = null;
    return plan;
  }

  /** Why files could not be looked at last time; empty when they could. */
  String away() {
    return away;
  }

  private Wish wish(UseWindow window, PopularityState remembered, double nowSeconds) {
    away = files.fill(window, history.get().report()).orElse("");
    IntPredicate first = first(sight(nowSeconds));
    PopularityDecisions.Answer answer =
        decisions.decide(
            window,
            remembered,
            files.bytes(),
            new PopularityDecisions.Bounds(
                hardware.usualReplicas(), hardware.replicasMax(), first, first));
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
                first.test(number)));
      }
    }
    return new Wish(shares.use(window, files), readFiles, all);
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
    long room = ruled.rooms().roomBytes();
    for (Wanted wanted : popular) {
      KnownFile file = files.file(wanted.number());
      if (file == null || file.replicas() == wanted.replicas()) {
        continue;
      }
      // Others stay as they were seen last, and somebody may have changed this one since.
      file = files.again(wanted.number());
      if (file == null || file.replicas() == wanted.replicas() || rules.decides(file, sight)) {
        continue;
      }
      Optional<String> untouched = untouched(file, nowSeconds);
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
        moves(popular, ruled, changes, sight, left),
        ruled.offloads(),
        shares.choose(wish.use(), nowSeconds, left),
        new RoundPlan.Heard(sight.counted().seconds(), sight.counted().why()),
        ruled.outcomes(),
        left.list(),
        null);
  }

  private List<RoundPlan.TierMove> moves(
      List<Wanted> popular,
      RuleRounds.Ruled ruled,
      List<RoundPlan.Change> changes,
      RulePass.Sight sight,
      LeftFiles left)
      throws IOException {
    List<RoundPlan.TierMove> moves = new ArrayList<>(rules.moves(ruled));
    if (fastTier.isEmpty()) {
      return moves;
    }
    Set<Long> changing = FastTier.changing(changes);
    List<FastTier.Popular> candidates = new ArrayList<>();
    Map<Long, Double> reads = new HashMap<>();
    for (Wanted wanted : popular) {
      KnownFile file = files.file(wanted.number());
      if (file == null) {
        continue;
      }
      reads.put(file.fileId(), wanted.reads().count());
      if (mayComeToFastTier(wanted)
          && !wanted.isFirst()
          && !changing.contains(file.fileId())
          && !rules.decides(file, sight)
          && policyOf(cluster, file.path()).isEmpty()
          && lastChange(file)
              .filter(last -> last.takenBack() && isHeld(last, sight.nowSeconds()))
              .isEmpty()) {
        candidates.add(new FastTier.Popular(file, wanted.reads().count()));
      }
    }
    FastTier fast = fastTier.get();
    Set<Long> first = new HashSet<>();
    Map<Long, LastChanges.Placed> there =
        fast.there(
            lastChanges,
            (path, status) -> {
              if (rules.isFirst(RulePass.Seen.of(path, status), sight)) {
                first.add(status.getFileId());
              }
              return rules.decides(path, status, sight);
            },
            sight.nowSeconds());
    List<FastTier.First> comingFirst =
        ruled.first().stream().filter(file -> !changing.contains(file.fileId())).toList();
    moves.addAll(
        fast.plan(
            decisions.predictor().name(),
            candidates,
            new FastTier.There(there, reads, new FastTier.Firsts(comingFirst, first), lastChanges),
            ruled.rooms().roomBytes(fast.name()),
            sight.nowSeconds(),
            left));
    return moves;
  }

  /**
   * Of a file that is read no more than once, the copy takes longer than the read that it saves.
   */
  private boolean mayComeToFastTier(Wanted wanted) {
    PopularityPredictor predictor = decisions.predictor();
    return predictor.isPopular(wanted.predicted())
        && (predictor.saysReplicas() || wanted.reads().count() > 1);
  }

  /** The policy that a path is under, which decides where its replicas are. */
  static Optional<PathPolicy> policyOf(MoverCluster cluster, String path) throws IOException {
    return PathPolicy.placement(cluster.fs(), new Path(path), cluster.tiers())
        .filter(found -> !found.specification().strip().equals(PathPolicy.STOCK));
  }

  private static String time(double seconds) {
    return Instant.ofEpochSecond((long) seconds).toString();
  }

  /** Why a file is left alone whatever the engine wants. */
  private Optional<String> untouched(KnownFile file, double nowSeconds) throws IOException {
    try {
      return somebodyElses(file, nowSeconds);
    } catch (AccessControlException e) {
      return Optional.of(RulePass.UNREADABLE);
    }
  }

  private Optional<String> somebodyElses(KnownFile file, double nowSeconds) throws IOException {
    Optional<ReplicaMark> last = lastChange(file);
    if (file.replicas() != hardware.usualReplicas()
        && last.filter(mark -> mark.owns(file.replicas())).isEmpty()) {
      return Optional.of(
          "somebody gave it "
              + Words.count(file.replicas(), "replica")
              + ", not the usual "
              + hardware.usualReplicas());
    }
    if (last.filter(mark -> lastChanges.isMade(mark, file.replicas()))
        .filter(mark -> isHeld(mark, nowSeconds))
        .isPresent()) {
      return Optional.of(held(hold.windows()));
    }
    return policyOf(cluster, file.path()).map(ReplicaPlanner::underPolicy);
  }

  private Optional<ReplicaMark> lastChange(KnownFile file) throws IOException {
    try {
      return lastChanges.of(file.fileId(), cluster.fs().getClient().getXAttrs(file.path()));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // It was deleted just now, which is seen when it is changed.
    }
  }

  private boolean isHeld(ReplicaMark last, double nowSeconds) {
    return hold.isHeld(last.seconds(), nowSeconds);
  }

  static String held(int windows) {
    return "it was changed less than " + Words.count(windows, "window") + " ago";
  }

  static String underPolicy(PathPolicy policy) {
    return "it is under a policy, which names its replicas (" + policy.origin() + ")";
  }

  /** Runs of the mover were made. */
  void moved(Journal journal, List<String> ids) {
    ids.forEach(id -> lastChanges.add(PastRun.read(journal, id)));
  }

  /** A change was made. */
  void made(RoundPlan.Change change) {
    if (change.number() >= 0) {
      hold.forget(change.number());
      files.made(change.number(), change.after());
    }
  }
}
