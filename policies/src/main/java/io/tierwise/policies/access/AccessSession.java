package io.tierwise.policies.access;

import java.util.List;
import java.util.Optional;

/**
 * A host keeps it for its readers: a strategy and, where that learns, its memory. Hosts use all
 * strategies alike and need to know none.
 *
 * <ol>
 *   <li>{@code AccessPick pick = session.pick(fileId)}, once for a block or for a batch of blocks;
 *   <li>{@code pick.order(request, view, random, order)} for each block of the batch;
 *   <li>{@code session.observe(fileId, pick, bytes, seconds, refusals)} when a read is over.
 * </ol>
 *
 * <p>Safe to use from many threads. Picking and ordering allocate nothing.
 */
public final class AccessSession {
  private final AccessStrategy strategy;
  private final List<AccessPick> exploiting;
  private final List<AccessPick> exploring;
  private final AdaptiveAccess adaptive;
  private final AdaptiveState state;

  private AccessSession(
      AccessStrategy strategy,
      List<AccessStrategy> arms,
      AdaptiveAccess adaptive,
      AdaptiveState state) {
    this.strategy = strategy;
    this.adaptive = adaptive;
    this.state = state;
    this.exploiting = picks(arms, false);
    this.exploring = picks(arms, true);
  }

  /** A session without memories. */
  public static AccessSession of(AccessStrategy strategy) {
    return strategy.newSession();
  }

  /** A session of a strategy that remembers nothing. */
  static AccessSession withoutMemory(AccessStrategy strategy) {
    return answeredBy(strategy, strategy);
  }

  /** A session of a strategy whose orders come from one with a memory. */
  static AccessSession answeredBy(AccessStrategy strategy, AccessStrategy remembering) {
    return new AccessSession(strategy, List.of(remembering), null, null);
  }

  /** A session that learns which of the strategy's arms is best. */
  static AccessSession learning(AdaptiveAccess strategy) {
    return new AccessSession(strategy, strategy.arms(), strategy, strategy.newState());
  }

  private static List<AccessPick> picks(List<AccessStrategy> arms, boolean explored) {
    AccessPick[] picks = new AccessPick[arms.size()];
    for (int arm = 0; arm < picks.length; arm++) {
      picks[arm] = new AccessPick(arm, explored, arms.get(arm));
    }
    return List.of(picks);
  }

  public AccessStrategy strategy() {
    return strategy;
  }

  /**
   * Picks the strategy for the next read of a file.
   *
   * @param fileId stable id of the file; 0 when unknown
   */
  public AccessPick pick(long fileId) {
    if (state == null) {
      return exploiting.get(0);
    }
    int choice = adaptive.choose(fileId, state);
    return choice >= 0 ? exploiting.get(choice) : exploring.get(~choice);
  }

  /**
   * Learns from a read that is over; does nothing when the strategy does not learn.
   *
   * @param bytes bytes read
   * @param seconds from the first request to the last byte, refused attempts and retries included
   * @param refusals how many nodes refused it
   */
  public void observe(long fileId, AccessPick pick, long bytes, double seconds, int refusals) {
    if (state != null) {
      state.observe(fileId, pick.arm(), bytes, seconds, refusals);
    }
  }

  /** The strategy's memory, for explanations and metrics. */
  public Optional<AdaptiveState> state() {
    return Optional.ofNullable(state);
  }
}
