package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.PopularityDecisions;
import io.tierwise.policies.movement.ReplicaHold;
import io.tierwise.policies.movement.ReplicaWorth;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import io.tierwise.policies.rules.FileFacts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private final KnownFiles files;
  private final Optional<FastTier> fastTier;
  private final RuleRounds rules;
  private final DirectoryShares shares;
  private Hardware hardware;
  private Wish last;
  private String away = "";

  /** The engine's answer about a file. */
  private record Wanted(int number, double predicted, int replicas, ReplicaWorth.Reads reads) {}

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
    files = new KnownFiles(cluster.fs(), settings);
    rules = new RuleRounds(cluster, settings, lastChanges);
    shares = new DirectoryShares(cluster, settings, hardware);
  }

  @Override
  public void begins(int file) {
    files.begins(file);
    hold.forget(file);
    state.grow(file + 1);
    state.forget(file);
  }

  @Override
  public void windowEnded(UseWindow window) {
    last = wish(window, state);
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
    RoundPlan plan = plan(wish(window, state.copy()), nowSeconds);
    last = null;
    return plan;
  }

  /** Why files could not be looked at last time; empty when they could. */
  String away() {
    return away;
  }

  private Wish wish(UseWindow window, PopularityState remembered) {
    away = files.fill(window, history.get().report()).orElse("");
    PopularityDecisions.Answer answer =
        decisions.decide(
            window,
            remembered,
            files.bytes(),
            new PopularityDecisions.Bounds(
                hardware.usualReplicas(), hardware.replicasMax(), file -> false));
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
                    (double) window.reads(number) * hold.windows(), window.readersMax(number))));
      }
    }
    return new Wish(shares.use(window, files), readFiles, all);
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
    FileFacts.Counted counted = history.get().counted(nowSeconds);
    RulePass.Sight sight = new RulePass.Sight(history.get().report(), counted, nowSeconds);
    RuleRounds.Ruled ruled = rules.look(sight, hardware);
    ReplicaWorth worth =
        new ReplicaWorth(Hardware.disk(cluster.tiers()).deviceClass(), hardware.usualReplicas());
    List<Wanted> popular = new ArrayList<>(wish.all());
    popular.sort(Comparator.comparingDouble(Wanted::predicted).reversed());
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
      if (untouched.isPresent()) {
        left.add(untouched.get(), file.path());
        continue;
      }
      Optional<RoundPlan.Change> change =
          wanted.replicas() > file.replicas()
              ? more(file, wanted, worth, room, left)
              : fewer(file, wanted, left);
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
        new RoundPlan.Heard(counted.seconds(), counted.why()),
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
      if (decisions.predictor().replicas(wanted.predicted()) > PopularityPredictor.DEFAULT_REPLICAS
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
    Map<Long, LastChanges.Placed> there =
        fast.there(
            lastChanges, (path, status) -> rules.decides(path, status, sight), sight.nowSeconds());
    moves.addAll(
        fast.plan(
            decisions.predictor().name(),
            candidates,
            new FastTier.There(there, reads, lastChanges),
            ruled.rooms().roomBytes(fast.name()),
            sight.nowSeconds(),
            left));
    return moves;
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

  private Optional<RoundPlan.Change> more(
      KnownFile file, Wanted wanted, ReplicaWorth worth, long room, LeftFiles left) {
    ReplicaWorth.Worth paying =
        worth.of(file.bytes(), wanted.reads(), file.replicas(), wanted.replicas());
    if (paying.replicas() == file.replicas()) {
      left.add("another replica does not pay", file.path());
      return Optional.empty();
    }
    RoundPlan.Change change =
        change(
            file,
            wanted.number(),
            paying,
            String.format(
                Locale.ROOT,
                "%s wants %s, %d more %s: %.0f reads to come, up to %d at once",
                decisions.predictor().name(),
                Words.count(wanted.replicas(), "replica"),
                paying.replicas() - file.replicas(),
                paying.replicas() - file.replicas() == 1 ? "pays" : "pay",
                wanted.reads().count(),
                wanted.reads().atOnce()));
    if (change.storedBytes() > room) {
      left.add("there is no room for its replicas", file.path());
      return Optional.empty();
    }
    return Optional.of(change);
  }

  private Optional<RoundPlan.Change> fewer(KnownFile file, Wanted wanted, LeftFiles left) {
    int allowed = hold.allowed(wanted.number(), file.replicas(), wanted.replicas());
    if (allowed == file.replicas()) {
      left.add(
          "it may need its replicas again: fewer are wanted for less than "
              + Words.count(hold.windows(), "window"),
          file.path());
      return Optional.empty();
    }
    return Optional.of(
        change(
            file,
            wanted.number(),
            new ReplicaWorth.Worth(allowed, Double.NaN, Double.NaN),
            String.format(
                Locale.ROOT,
                "%s has wanted no more than %s for %s",
                decisions.predictor().name(),
                Words.count(allowed, "replica"),
                Words.count(hold.lowWindows(wanted.number()), "window"))));
  }

  private RoundPlan.Change change(
      KnownFile file, int number, ReplicaWorth.Worth worth, String reason) {
    return new RoundPlan.Change(
        number,
        true,
        file.path(),
        file.fileId(),
        file.bytes(),
        file.replicas(),
        worth.replicas(),
        Double.isNaN(worth.savedSeconds()) ? null : worth.savedSeconds(),
        Double.isNaN(worth.costSeconds()) ? null : worth.costSeconds(),
        decisions.predictor().name(),
        reason);
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
