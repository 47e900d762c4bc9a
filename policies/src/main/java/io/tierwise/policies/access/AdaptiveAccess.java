package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Switches between other strategies, for each file and moment, by what their reads took.
 *
 * <p>Own: the access strategies paper names dynamic switching as future work. A bandit with the
 * other strategies as arms and seconds per byte as cost, with discounted sums ({@link
 * AdaptiveState}):
 *
 * <ol>
 *   <li>For arm a of a file: n = n_f + k, mean = (S_f + k b m) / (B_f + k b); n_f, S_f, B_f the
 *       file's reads, seconds and bytes by the arm; m the arm's mean over all files, b the mean
 *       bytes of its reads, k = min(2, its reads): what all files say counts as two reads of this
 *       one.
 *   <li>The best arm is that with the least mean; before anything is known, the first.
 *   <li>Another arm may be explored when mean - s sqrt(2 ln(1 + N) / n) is less than the best mean;
 *       s the spread of seconds per byte within arms, at least a tenth of the best mean; N the
 *       reads remembered. An arm of which nothing is known may always be. Among those, the least
 *       index.
 *   <li>It is explored when the budget allows: every pick grants {@code exploration} of one, ten
 *       can be saved. So explored picks never exceed exploration x picks, whatever happens.
 * </ol>
 *
 * <p>Discounted UCB (Garivier and Moulines 2011) with a budget on its exploring picks. Since n
 * decays while an arm is idle, a change is noticed even in an arm that was hopeless.
 *
 * <p>Called without memory, {@link #order} decides as the first arm; a host that learns keeps an
 * {@link AccessSession}.
 *
 * @param explorationMillionths largest share of exploring picks, in millionths, at most a half
 * @param memoryReads reads after which a read counts 1/e
 * @param fileCountMax files that are remembered one by one
 */
public record AdaptiveAccess(int explorationMillionths, int memoryReads, int fileCountMax)
    implements AccessStrategy {
  static final String NAME = "adaptive";
  static final AdaptiveAccess DEFAULT = new AdaptiveAccess(50_000, 100, 1024);

  /** First the one to start with: it differs from stock only where nothing is local. */
  private static final List<AccessStrategy> ARMS =
      List.of(
          new DataLocalityDrivenAccess(),
          new GreedyAccess(),
          new NetworkAwareAccess(),
          BalancedAccess.ofPercent(50),
          HybridAccess.DEFAULT);

  private static final double PRIOR_READS = 2;
  private static final double SPREAD_MIN_SHARE = 0.1;

  public AdaptiveAccess {
    if (explorationMillionths < 0 || explorationMillionths > 500_000) {
      throw new IllegalArgumentException(
          "exploration " + decimal(explorationMillionths) + " is outside 0-0.5");
    }
    if (memoryReads < 10 || fileCountMax < 8) {
      throw new IllegalArgumentException(
          "memory-reads " + memoryReads + " or files " + fileCountMax + " is below 10 or 8");
    }
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add("exploration", decimal(explorationMillionths), decimal(DEFAULT.explorationMillionths))
        .add("memory-reads", memoryReads, DEFAULT.memoryReads)
        .add("files", fileCountMax, DEFAULT.fileCountMax)
        .toString();
  }

  /** The strategies that it switches between; their positions are the arms' indexes. */
  public List<AccessStrategy> arms() {
    return ARMS;
  }

  /** A state in which nothing has been learnt. */
  public AdaptiveState newState() {
    return new AdaptiveState(ARMS.size(), memoryReads, fileCountMax);
  }

  @Override
  public AccessSession newSession() {
    return AccessSession.learning(this);
  }

  @Override
  public AfterRefusal afterRefusal() {
    return AfterRefusal.ASK_AGAIN;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    return ARMS.get(0).order(request, view, random, order);
  }

  /**
   * Chooses the arm for the next read of a file and counts the choice in {@code state}.
   *
   * @return the arm's index, or its complement (~index) when it was chosen to explore
   */
  int choose(long fileId, AdaptiveState state) {
    synchronized (state) {
      boolean mayExplore = state.grantPick(explorationMillionths);
      int slot = state.slotOf(fileId);
      int best = bestArm(state, slot);
      if (best < 0) {
        return 0;
      }
      if (!mayExplore) {
        return best;
      }
      int other = armToExplore(state, slot, best);
      if (other < 0) {
        return best;
      }
      state.spendExploration(other);
      return ~other;
    }
  }

  /** The arm of least mean, or -1 when nothing is known of any. */
  private static int bestArm(AdaptiveState state, int slot) {
    int best = -1;
    double bestMean = Double.POSITIVE_INFINITY;
    for (int arm = 0; arm < state.armCount; arm++) {
      double mean = mean(state, slot, arm);
      if (mean < bestMean) {
        best = arm;
        bestMean = mean;
      }
    }
    return best;
  }

  /** The arm that may be better than the best by most, or -1. */
  private static int armToExplore(AdaptiveState state, int slot, int best) {
    double bestMean = mean(state, slot, best);
    double spread = Math.max(spread(state), SPREAD_MIN_SHARE * bestMean);
    double width = spread * Math.sqrt(2 * Math.log1p(reads(state)));
    int chosen = -1;
    double least = bestMean;
    double leastReads = Double.POSITIVE_INFINITY;
    for (int arm = 0; arm < state.armCount; arm++) {
      if (arm == best) {
        continue;
      }
      double mean = mean(state, slot, arm);
      double reads = reads(state, slot, arm) + state.pending(arm);
      double index =
          Double.isNaN(mean) ? Double.NEGATIVE_INFINITY : mean - width / Math.sqrt(reads);
      if (index < least || (index == least && chosen >= 0 && reads < leastReads)) {
        chosen = arm;
        least = index;
        leastReads = reads;
      }
    }
    return chosen;
  }

  /** Seconds per byte expected of the arm for the file; NaN when unknown. */
  private static double mean(AdaptiveState state, int slot, int arm) {
    double all = state.all().secondsPerByte(arm);
    if (slot == RecentFiles.NONE || Double.isNaN(all)) {
      return all;
    }
    int index = slot * state.armCount + arm;
    double reads = state.all().reads(arm);
    double priorBytes = Math.min(PRIOR_READS, reads) * state.all().bytes(arm) / reads;
    return (state.byFile().seconds(index) + priorBytes * all)
        / (state.byFile().bytes(index) + priorBytes);
  }

  private static double reads(AdaptiveState state, int slot, int arm) {
    double all = state.all().reads(arm);
    return slot == RecentFiles.NONE
        ? all
        : state.byFile().reads(slot * state.armCount + arm) + Math.min(PRIOR_READS, all);
  }

  private static double reads(AdaptiveState state) {
    double reads = 0;
    for (int arm = 0; arm < state.armCount; arm++) {
      reads += state.all().reads(arm);
    }
    return reads;
  }

  /** Standard deviation of seconds per byte within arms, weighted by bytes. */
  private static double spread(AdaptiveState state) {
    double squares = 0;
    double bytes = 0;
    for (int arm = 0; arm < state.armCount; arm++) {
      squares += state.all().squaredDeviations(arm);
      bytes += state.all().bytes(arm);
    }
    return bytes == 0 ? 0 : Math.sqrt(squares / bytes);
  }

  private static String decimal(int millionths) {
    return BigDecimal.valueOf(millionths, 6).stripTrailingZeros().toPlainString();
  }
}
