package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.autotier.WantedReplicas.Wanted;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.mover.MoverCluster;
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
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
  /** Own: as many as rules may send in a round, and as many back. */
  private static final int FILES_MAX = RuleHits.Bounds.USUAL.offloads();

  private final Sources sources;
  private final AutotierSettings settings;
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

  /** Files that go, and what keeps others. */
  private record Going(Map<String, Long> files, SecondaryTier tier, Set<Long> inFastTier) {}

  /** A time at which is decided. */
  record Now(RulePass.Sight sight, int usualReplicas, JobNeeds jobs) {}

  UnpopularFiles(Sources sources, AutotierSettings settings) {
    this.sources = sources;
    this.settings = settings;
    unreadSeconds = settings.unreadFor().map(time -> time.toMillis() / 1e3).orElse(0.0);
    String time = Words.duration(unreadSeconds);
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
  void check(PopularityPredictor predictor, long keptMillis) throws IOException {
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
              + Words.duration(unreadSeconds)
              + " is more than the "
              + Words.duration(keptMillis / 1e3)
              + " that reads are kept: make --window longer");
    }
    try (SecondaryTier tier = StoreMoves.open(sources.cluster())) {
      tier.requireReachable();
    } catch (OperatorException e) {
      throw OperatorException.badInput("--secondary: " + e.getMessage());
    }
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
    List<Wanted> unpopular = new ArrayList<>(popular);
    Collections.reverse(unpopular);
    Map<String, Long> going = new LinkedHashMap<>();
    try (SecondaryTier tier = StoreMoves.open(sources.cluster())) {
      Going all = new Going(going, tier, inFastTier());
      for (Wanted wanted : unpopular) {
        if (wanted.isUnpopular()) {
          send(wanted, now, all, left);
        }
      }
    }
    Map<String, Long> coming = new LinkedHashMap<>();
    for (Wanted wanted : popular) {
      if (!wanted.isUnpopular()) {
        bringBack(wanted, now, coming, left);
      }
    }
    StoreMoves moves = new StoreMoves(sources.cluster(), settings);
    return new Chosen(
        going.isEmpty()
            ? List.of()
            : moves.plan(List.of(StoreMove.Wish.unpopular(predictor, going))),
        coming.isEmpty()
            ? List.of()
            : moves.plan(List.of(StoreMove.Wish.readAgain(predictor, coming))));
  }

  private void send(Wanted wanted, Now now, Going going, LeftFiles left) throws IOException {
    KnownFile seen = sources.files().file(wanted.number());
    if (!mayGo(seen, now) || going.tier().holds(seen.path())) {
      return;
    }
    Optional<String> why = whyNeeded(wanted, seen, now);
    if (why.isEmpty() && going.files().size() == FILES_MAX) {
      why = Optional.of(RuleHits.OTHERS_FIRST);
    }
    if (why.isPresent()) {
      left.add(why.get(), seen.path());
      return;
    }
    // It stands as it was seen last, and somebody may have changed it since.
    KnownFile file = sources.files().again(wanted.number());
    if (!mayGo(file, now)) {
      return;
    }
    why = whyNeeded(wanted, file, now);
    if (why.isEmpty()) {
      why = whySomebodyElses(file, now, going.inFastTier());
    }
    if (why.isPresent()) {
      left.add(why.get(), file.path());
    } else {
      going.files().put(file.path(), file.fileId());
    }
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

  private void bringBack(Wanted wanted, Now now, Map<String, Long> coming, LeftFiles left)
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
    if (coming.size() == FILES_MAX) {
      left.add(RuleHits.OTHERS_FIRST, file.path());
    } else {
      coming.put(file.path(), file.fileId());
    }
  }
}
