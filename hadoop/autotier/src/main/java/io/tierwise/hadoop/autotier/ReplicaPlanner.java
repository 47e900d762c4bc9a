package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.PopularityDecisions;
import io.tierwise.policies.movement.ReplicaHold;
import io.tierwise.policies.movement.ReplicaWorth;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;

/**
 * Asks the decision engine at the end of each window, and makes a plan of what it wants: what pays,
 * does not flap, finds room and is nobody else's.
 */
final class ReplicaPlanner implements WindowFeed.Listener {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final PopularityDecisions decisions;
  private final LastChanges lastChanges;
  private final Supplier<LogHeat> heat;
  private final PopularityState state = new PopularityState();
  private final ReplicaHold hold;
  private final KnownFiles files;
  private final Optional<FastTier> fastTier;
  private Hardware hardware;
  private RuleBook book = RuleBook.EMPTY;
  private Wish last;
  private String away = "";

  /** The engine's answer about a file. */
  private record Wanted(int number, double predicted, int replicas, ReplicaWorth.Reads reads) {}

  /** The answer of the engine about a window. */
  private record Wish(double sinceSeconds, double untilSeconds, long readFiles, List<Wanted> all) {}

  ReplicaPlanner(
      MoverCluster cluster,
      AutotierSettings settings,
      LastChanges lastChanges,
      Supplier<LogHeat> heat)
      throws IOException {
    this.cluster = cluster;
    this.settings = settings;
    this.lastChanges = lastChanges;
    this.heat = heat;
    decisions = settings.decisions();
    hardware = Hardware.of(cluster, settings);
    fastTier = settings.fastTier().map(name -> new FastTier(cluster, settings, hardware, name));
    hold = new ReplicaHold(settings.holdWindows(), settings.windowMillis() / 1e3);
    files = new KnownFiles(cluster.fs(), settings);
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

  /** The plan of the last window that ended; empty before one has, and after it was asked for. */
  Optional<RoundPlan> ofLastWindow(double nowSeconds) throws IOException {
    Wish wish = last;
    last = null;
    return wish == null ? Optional.empty() : Optional.of(plan(wish, nowSeconds));
  }

  /** The plan as if the window that runs ended now, instead of that of the last one. */
  RoundPlan ofRunning(UseWindow window, double nowSeconds) throws IOException {
    last = null;
    return plan(wish(window, state.copy()), nowSeconds);
  }

  /** Why files could not be looked at last time; empty when they could. */
  String away() {
    return away;
  }

  private Wish wish(UseWindow window, PopularityState remembered) {
    away = files.fill(window, heat.get().report()).orElse("");
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
    return new Wish(window.startSeconds(), window.endSeconds(), readFiles, all);
  }

  /** Checks rules against the cluster. */
  void obey(RuleBook rules) {
    book = rules;
  }

  Hardware hardware() {
    return hardware;
  }

  private RoundPlan plan(Wish wish, double nowSeconds) throws IOException {
    hardware = Hardware.of(cluster, settings);
    double holdSeconds = settings.holdWindows() * settings.windowMillis() / 1e3;
    RuleWalk ruled =
        new RuleWalk(
                cluster,
                settings,
                book,
                heat.get(),
                nowSeconds,
                (file, replicas) -> lastChanges.seconds(file, replicas) + holdSeconds)
            .walk();
    TierMoves.requireRoom(book, ruled.changes(), ruled.moves(), hardware);
    ReplicaWorth worth =
        new ReplicaWorth(Hardware.disk(cluster.tiers()).deviceClass(), hardware.usualReplicas());
    List<Wanted> popular = new ArrayList<>(wish.all());
    popular.sort(Comparator.comparingDouble(Wanted::predicted).reversed());
    List<RoundPlan.Change> changes = new ArrayList<>(ruled.changes());
    LeftFiles left = new LeftFiles();
    long room =
        hardware.roomBytes() - changes.stream().mapToLong(RoundPlan.Change::storedBytes).sum();
    for (Wanted wanted : popular) {
      KnownFile file = files.file(wanted.number());
      if (file == null
          || file.replicas() == wanted.replicas()
          || ruled.decided().contains(file.fileId())) {
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
        time(wish.sinceSeconds()),
        time(wish.untilSeconds()),
        files.count(),
        wish.readFiles(),
        changes,
        moves(popular, ruled, changes, nowSeconds, left),
        ruled.outcomes(),
        left.list());
  }

  private List<RoundPlan.TierMove> moves(
      List<Wanted> popular,
      RuleWalk ruled,
      List<RoundPlan.Change> changes,
      double nowSeconds,
      LeftFiles left)
      throws IOException {
    List<RoundPlan.TierMove> moves =
        new ArrayList<>(new TierMoves(cluster, settings, book).plan(ruled.moves()));
    if (fastTier.isEmpty()) {
      return moves;
    }
    Set<Long> others = FastTier.changing(changes);
    others.addAll(ruled.decided());
    List<FastTier.Popular> candidates = new ArrayList<>();
    for (Wanted wanted : popular) {
      KnownFile file = files.file(wanted.number());
      if (file != null
          && decisions.predictor().replicas(wanted.predicted())
              > PopularityPredictor.DEFAULT_REPLICAS
          && !others.contains(file.fileId())
          && policyOf(file).isEmpty()) {
        candidates.add(new FastTier.Popular(file, wanted.reads().count()));
      }
    }
    String name = fastTier.get().name();
    long taken =
        ruled.moves().stream()
            .filter(move -> move.tier().equals(name))
            .mapToLong(RuleWalk.Moving::missingBytes)
            .sum();
    moves.addAll(
        fastTier
            .get()
            .plan(
                decisions.predictor().name(),
                candidates,
                lastChanges,
                hardware.tierRoom().getOrDefault(name, 0L) - taken,
                nowSeconds,
                left));
    return moves;
  }

  private Optional<PathPolicy> policyOf(KnownFile file) throws IOException {
    return PathPolicy.placement(cluster.fs(), new Path(file.path()), cluster.tiers())
        .filter(found -> !found.specification().strip().equals(PathPolicy.STOCK));
  }

  private static String time(double seconds) {
    return Instant.ofEpochSecond((long) seconds).toString();
  }

  /** Why a file is left alone whatever the engine wants. */
  private Optional<String> untouched(KnownFile file, double nowSeconds) throws IOException {
    if (file.replicas() != hardware.usualReplicas()
        && !lastChanges.isOurs(file.fileId(), file.replicas())) {
      return Optional.of(
          "somebody gave it "
              + Words.count(file.replicas(), "replica")
              + ", not the usual "
              + hardware.usualReplicas());
    }
    if (hold.isHeld(lastChanges.seconds(file.fileId(), file.replicas()), nowSeconds)) {
      return Optional.of(held(hold.windows()));
    }
    return policyOf(file).map(ReplicaPlanner::underPolicy);
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
  void made(RoundPlan.Change change, double nowSeconds) {
    lastChanges.made(change.fileId(), change.after(), nowSeconds);
    if (change.number() >= 0) {
      hold.forget(change.number());
      files.made(change.number(), change.after());
    }
  }
}
