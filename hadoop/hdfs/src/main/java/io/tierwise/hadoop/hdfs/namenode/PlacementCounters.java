package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.hadoop.hdfs.DecisionTimes;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters, which only grow, of the plug-in's work in this NameNode. No path stands in a name;
 * policies beyond the first {@value #POLICIES_MAX} are counted together.
 */
final class PlacementCounters {
  static final int POLICIES_MAX = 100;
  private static final String OTHER_POLICIES = "other";

  /** Own: clients wait for it, one by one; five sixths of a minute are left to stock HDFS. */
  private static final DecisionTimes.Question PLACING =
      new DecisionTimes.Question(
          "place a block", "stock HDFS places its blocks", TimeUnit.SECONDS.toNanos(10));

  /** Own: the whole NameNode waits for it, under the namesystem's write lock. */
  private static final DecisionTimes.Question DROPPING =
      new DecisionTimes.Question(
          "choose replicas to drop, while all calls to the NameNode waited",
          "stock HDFS chooses them",
          TimeUnit.SECONDS.toNanos(3));

  private final DecisionTimes placing = new DecisionTimes(PLACING);
  private final DecisionTimes dropping = new DecisionTimes(DROPPING);
  private final Map<String, LongAdder> decisionsByPolicy = new ConcurrentHashMap<>();
  private final Map<GivenUp, LongAdder> replicasByGivenUp = adders(GivenUp.class);
  private final Map<StockReason, LongAdder> stockByReason = adders(StockReason.class);
  private final Map<Fallback, LongAdder> fallbacks = new ConcurrentHashMap<>();
  private final LongAdder deletionsByPolicy = new LongAdder();
  private final LongAdder deletionsByTierRule = new LongAdder();

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kinds) {
    Map<E, LongAdder> adders = new EnumMap<>(kinds);
    for (E kind : kinds.getEnumConstants()) {
      adders.put(kind, new LongAdder());
    }
    return adders;
  }

  /** Replicas that did not get the tier that they were meant for. */
  private record Fallback(String tier, Refusal reason) {}

  void decided(Place decision, TierTable tiers) {
    ofPolicy(decision.policy()).increment();
    List<Choice> choices = decision.choices();
    int asWanted = 0;
    for (int i = 0; i < choices.size(); i++) {
      Choice choice = choices.get(i);
      if (choice.given() == GivenUp.NOTHING) {
        asWanted++;
      } else {
        replicasByGivenUp.get(choice.given()).increment();
      }
      if (choice.missedTier() != ClusterView.NONE) {
        Fallback missed = new Fallback(tiers.tier(choice.missedTier()).name(), choice.reason());
        fallbacks.computeIfAbsent(missed, ignored -> new LongAdder()).increment();
      }
    }
    // Once, and not for each: an adder costs as much as a hundredth of a decision.
    replicasByGivenUp.get(GivenUp.NOTHING).add(asWanted);
  }

  private LongAdder ofPolicy(String policy) {
    LongAdder adder = decisionsByPolicy.get(policy);
    if (adder != null) {
      return adder;
    }
    String name = decisionsByPolicy.size() < POLICIES_MAX ? policy : OTHER_POLICIES;
    return decisionsByPolicy.computeIfAbsent(name, ignored -> new LongAdder());
  }

  /** Tells of decisions that hang, also when no other is asked for. */
  void lookAtDecisions() {
    placing.look();
    dropping.look();
  }

  /** How long policies take to place a block. */
  DecisionTimes placing() {
    return placing;
  }

  /** How long they take to choose replicas that go. */
  DecisionTimes dropping() {
    return dropping;
  }

  void stock(StockReason reason) {
    stockByReason.get(reason).increment();
  }

  void deletedByPolicy(int replicas) {
    deletionsByPolicy.add(replicas);
  }

  void deletedByTierRule(int replicas) {
    deletionsByTierRule.add(replicas);
  }

  long stockCount(StockReason reason) {
    return stockByReason.get(reason).sum();
  }

  long deletionsByPolicy() {
    return deletionsByPolicy.sum();
  }

  long deletionsByTierRule() {
    return deletionsByTierRule.sum();
  }

  Map<String, Long> decisions() {
    Map<String, Long> sums = new TreeMap<>();
    decisionsByPolicy.forEach((policy, adder) -> sums.put(policy, adder.sum()));
    return sums;
  }

  /** Replicas by what had to be given up for them: {@code nothing}, {@code spread}, ... */
  Map<String, Long> replicas() {
    Map<String, Long> sums = new TreeMap<>();
    replicasByGivenUp.forEach(
        (given, adder) -> sums.put(given.name().toLowerCase(Locale.ROOT), adder.sum()));
    return sums;
  }

  /**
   * Replicas that did not get their tier, as {@code tier/reason}: {@code fast/overloaded}. Only
   * those that happened.
   */
  Map<String, Long> fallbacks() {
    Map<String, Long> sums = new TreeMap<>();
    fallbacks.forEach(
        (missed, adder) ->
            sums.put(
                missed.tier() + "/" + missed.reason().name().toLowerCase(Locale.ROOT),
                adder.sum()));
    return sums;
  }

  Map<String, Long> stockTakeovers() {
    Map<String, Long> sums = new TreeMap<>();
    stockByReason.forEach((reason, adder) -> sums.put(reason.label(), adder.sum()));
    return sums;
  }
}
