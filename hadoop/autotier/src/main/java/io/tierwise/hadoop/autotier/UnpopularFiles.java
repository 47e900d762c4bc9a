package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.autotier.WantedReplicas.Wanted;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.secondary.SecondaryRun;
import io.tierwise.hadoop.secondary.SecondaryTier;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.RuleAction;
import io.tierwise.policies.rules.RuleAnswer;
import io.tierwise.policies.rules.RuleCondition;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Sends the files to the secondary store that the decision engine finds unpopular, and brings those
 * of them back that are read there and that it finds unpopular no longer.
 *
 * <p>Source: DerbyhatS, 5.2.4. Own: a file goes only when enough windows in a row asked for it, and
 * when it is certain that nobody has read or written it for a time that a person names. It comes
 * back only when it was read within that time, so that it cannot go and come by turns. It goes with
 * the usual number of replicas, after additional ones have gone.
 */
final class UnpopularFiles {
  private final Sources sources;
  private final AutotierSettings settings;
  private final Bounds bounds;
  private final StoreMoves moves;

  /**
   * Numbers of files that were looked at, and of which some stayed. Others come first until each
   * was looked at once: else the least popular ones would keep all that could go from going.
   */
  private final BitSet lookedAt = new BitSet();

  /** Files that go by the last choice, and are needed by nobody as far as is known. */
  private final List<KnownFile> leaving = new ArrayList<>();

  private final double unreadSeconds;
  private final FileRule unread;
  private final FileRule untouched;

  /** Who knows what of files. */
  record Sources(
      MoverCluster cluster,
      KnownFiles files,
      Claims claims,
      LastChanges lastChanges,
      WantedReplicas wanted,
      RuleRounds rules) {}

  /** Runs that have something to do. */
  record Chosen(List<StoreMove> offloads, List<StoreMove> recalls) {
    static final Chosen NONE = new Chosen(List.of(), List.of());
  }

  /**
   * The most files of a round.
   *
   * @param moved each way
   * @param lookedAt some twenty calls of the NameNode each
   */
  record Bounds(int moved, int lookedAt) {
    /** Own: as many as rules may send; where all of them stay, a round takes less than a minute. */
    static final Bounds USUAL = new Bounds(RuleHits.Bounds.USUAL.offloads(), 10_000);
  }

  /** Files that go, and what keeps others. */
  private static final class Going {
    private final Map<String, Long> files = new LinkedHashMap<>();
    private final SecondaryTier tier;
    private final Set<Long> inFastTier;
    private int lookedAt;
    private boolean isCut;

    private Going(SecondaryTier tier, Set<Long> inFastTier) {
      this.tier = tier;
      this.inFastTier = inFastTier;
    }
  }

  /** A time at which is decided. */
  record Now(RulePass.Sight sight, int usualReplicas, JobNeeds jobs) {}

  UnpopularFiles(Sources sources, AutotierSettings settings) {
    this(sources, settings, Bounds.USUAL);
  }

  UnpopularFiles(Sources sources, AutotierSettings settings, Bounds bounds) {
    this.sources = sources;
    this.settings = settings;
    this.bounds = bounds;
    moves = new StoreMoves(sources.cluster(), settings);
    unreadSeconds = settings.unreadFor().map(time -> time.toMillis() / 1e3).orElse(0.0);
    String time = settings.unreadFor().map(AutotierSettings::text).orElse("");
    RuleCondition noReads =
        new RuleCondition(
            "reads(" + time + ") < 1",
            RuleCondition.Measure.READS,
            unreadSeconds,
            RuleCondition.Comparison.LESS,
            1);
    RuleCondition old =
        new RuleCondition(
            "age >= " + time,
            RuleCondition.Measure.AGE,
            0,
            RuleCondition.Comparison.AT_LEAST,
            unreadSeconds);
    unread = rule(noReads);
    untouched = rule(noReads, old);
  }

  private static FileRule rule(RuleCondition... conditions) {
    return new FileRule(0, "--secondary", "/**", List.of(conditions), new RuleAction.Secondary());
  }

  /**
   * Checks what was asked for before anything runs.
   *
   * @param keptMillis for which reads are kept
   * @throws OperatorException one line
   */
  void check(PopularityPredictor predictor, long keptMillis, StoreRuns stores) throws IOException {
    if (settings.unreadFor().isEmpty()) {
      return;
    }
    if (predictor.replicas(predictor.min()) >= PopularityPredictor.DEFAULT_REPLICAS) {
      throw OperatorException.badInput(
          "--secondary: no file is unpopular to the predictor "
              + predictor.name()
              + ", which never asks for fewer replicas than usual: take ppa");
    }
    if (unreadSeconds * 1e3 > keptMillis) {
      throw OperatorException.badInput(
          "--secondary "
              + AutotierSettings.text(settings.unreadFor().get())
              + " is more than the "
              + Words.duration(keptMillis / 1e3)
              + " that reads are kept: make --window longer");
    }
    try {
      stores.requireReachable(sources.cluster());
    } catch (OperatorException e) {
      throw OperatorException.badInput("--secondary: " + e.getMessage());
    }
  }

  /** The number is that of another file from now on. */
  void begins(int number) {
    lookedAt.clear(number);
  }

  /**
   * Chooses from what the engine wants.
   *
   * @param popular the most popular file first
   * @param left is told of files that stay
   */
  Chosen choose(String predictor, List<Wanted> popular, Now now, LeftFiles left)
      throws IOException {
    if (settings.unreadFor().isEmpty()) {
      return Chosen.NONE;
    }
    leaving.clear();
    List<Wanted> unpopular = new ArrayList<>(popular);
    Collections.reverse(unpopular);
    Map<String, Long> coming = new LinkedHashMap<>();
    try (SecondaryTier tier = StoreMoves.open(sources.cluster())) {
      Going going = new Going(tier, inFastTier());
      for (Wanted wanted : unpopular) {
        if (wanted.isUnpopular()) {
          send(wanted, now, going, left);
        }
      }
      if (!going.isCut) {
        lookedAt.clear();
      }
      for (Wanted wanted : popular) {
        if (!wanted.isUnpopular()) {
          bringBack(wanted, now, tier, coming, left);
        }
      }
      return new Chosen(
          going.files.isEmpty()
              ? List.of()
              : moves.plan(List.of(StoreMove.Wish.unpopular(predictor, going.files))),
          coming.isEmpty()
              ? List.of()
              : moves.plan(List.of(StoreMove.Wish.readAgain(predictor, coming))));
    }
  }

  private void send(Wanted wanted, Now now, Going going, LeftFiles left) throws IOException {
    KnownFile seen = sources.files().file(wanted.number());
    if (!mayGo(seen, now) || going.tier.holds(seen.path())) {
      return;
    }
    Optional<String> why = whyNeeded(wanted, seen, now);
    if (why.isEmpty() && waits(wanted, going)) {
      if (sources.lastChanges().sent().sentUnpopular(seen.path())) {
        return; // Nobody has looked at it since it went.
      }
      why = Optional.of(othersFirst());
    }
    if (why.isPresent()) {
      left.add(why.get(), seen.path());
      return;
    }
    lookedAt.set(wanted.number());
    going.lookedAt++;
    // It stands as it was seen last, and somebody may have changed it since.
    KnownFile file = sources.files().again(wanted.number());
    if (!mayGo(file, now)) {
      return;
    }
    why = whyNeeded(wanted, file, now);
    if (why.isEmpty()) {
      why = whySomebodyElses(file, now, going.inFastTier);
    }
    if (why.isEmpty()) {
      why = moves.whyNot(going.tier, SecondaryRun.Kind.OFFLOAD, file);
    }
    if (why.isPresent()) {
      left.add(why.get(), file.path());
    } else {
      going.files.put(file.path(), file.fileId());
      leaving.add(file);
    }
  }

  /** Whether a file has its turn in another round. */
  private boolean waits(Wanted wanted, Going going) {
    boolean hadItsTurn = lookedAt.get(wanted.number());
    boolean isFull = going.files.size() == bounds.moved() || going.lookedAt == bounds.lookedAt();
    going.isCut |= isFull && !hadItsTurn;
    return isFull || hadItsTurn;
  }

  private String othersFirst() {
    return "other files come first: a round looks at "
        + bounds.lookedAt()
        + " at most, and moves "
        + bounds.moved();
  }

  /** Of a file with another number of replicas than usual that is looked at first. */
  private static boolean mayGo(KnownFile file, Now now) {
    return file != null && !file.isStored() && file.replicas() == now.usualReplicas();
  }

  /** By what is known of it, without a call. */
  private Optional<String> whyNeeded(Wanted wanted, KnownFile file, Now now) {
    if (sources.wanted().hold().allowed(wanted.number(), file.replicas(), wanted.replicas())
        != DecisionEngine.SECONDARY) {
      return Optional.of(sources.wanted().mayNeedThem());
    }
    RuleAnswer answer = untouched.ask(RulePass.Seen.of(file).by(now.sight()));
    return answer.holds() ? Optional.empty() : Optional.of(answer.why());
  }

  private Optional<String> whySomebodyElses(KnownFile file, Now now, Set<Long> inFastTier)
      throws IOException {
    Optional<String> claimed =
        sources.claims().untouched(file, now.usualReplicas(), now.sight().nowSeconds());
    if (claimed.isPresent()) {
      return claimed;
    }
    if (now.jobs().needs(file.fileId())) {
      return Optional.of(RuleHits.NEEDED);
    }
    if (inFastTier.contains(file.fileId())) {
      return Optional.of("it has a place in the fast tier");
    }
    return hasCopy(file) && !sources.lastChanges().sent().broughtBack(file.path())
        ? Optional.of("somebody copied it to the secondary store, or brought it back from there")
        : Optional.empty();
  }

  /**
   * Asks again about the files that go by the last choice: to move them may take long.
   *
   * @param needed is told of each that somebody reads or needs since, with a reason
   */
  void askAgain(Now now, BiConsumer<String, String> needed) {
    leaving.removeIf(
        file -> {
          RuleAnswer answer = untouched.ask(RulePass.Seen.of(file).by(now.sight()));
          boolean isNeeded = now.jobs().needs(file.fileId());
          if (isNeeded || !answer.holds()) {
            needed.accept(file.path(), isNeeded ? RuleHits.NEEDED : answer.why());
          }
          return isNeeded || !answer.holds();
        });
  }

  private Set<Long> inFastTier() {
    Set<Long> files = new HashSet<>();
    settings
        .fastTier()
        .ifPresent(
            tier -> {
              files.addAll(sources.lastChanges().placedIn(tier).keySet());
              files.addAll(sources.lastChanges().prefetchedIn(tier).keySet());
            });
    return files;
  }

  private boolean hasCopy(KnownFile file) throws IOException {
    try {
      return sources
          .cluster()
          .fs()
          .getClient()
          .getXAttrs(file.path())
          .containsKey(SecondaryKeys.COPY_ATTRIBUTE);
    } catch (FileNotFoundException e) {
      return false; // It was deleted just now, which is seen when it is moved.
    }
  }

  private void bringBack(
      Wanted wanted, Now now, SecondaryTier tier, Map<String, Long> coming, LeftFiles left)
      throws IOException {
    KnownFile seen = sources.files().file(wanted.number());
    if (seen == null
        || !seen.isStored()
        || unread.ask(RulePass.Seen.of(seen).by(now.sight())).mayHold()) {
      return;
    }
    if (!sources.lastChanges().sent().sentUnpopular(seen.path())) {
      left.add("somebody sent it to the secondary store", seen.path());
      return;
    }
    KnownFile file = sources.files().again(wanted.number());
    if (file == null || !file.isStored() || sources.rules().decides(file, now.sight())) {
      return;
    }
    if (coming.size() == bounds.moved()) {
      left.add(othersFirst(), file.path());
      return;
    }
    Optional<String> why = moves.whyNot(tier, SecondaryRun.Kind.RECALL, file);
    if (why.isPresent()) {
      left.add(why.get(), file.path());
    } else {
      coming.put(file.path(), file.fileId());
    }
  }
}
