package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Orders the replicas of a block for one reader. Stateless beyond its settings, safe to call from
 * many threads.
 *
 * <p>Promises of every implementation (the contract suite checks them): the order is a permutation
 * of all replicas (none is dropped: a reader must be able to fall back to each); same request, view
 * and seed give the same order; nothing is allocated.
 *
 * <p>The order is the whole decision: a host asks the first replica, and after a refusal or an
 * error the next one. {@link #afterRefusal} says how long it then avoids the refusing node.
 */
public interface AccessStrategy {
  /** The strategy's specification in canonical form; {@link AccessStrategies#parse} accepts it. */
  String name();

  /**
   * Writes the order into {@code order[0 .. view.replicaCount())}: replica numbers, the one to read
   * from first.
   *
   * @param order at least {@code view.replicaCount()} long; what stands behind is left alone
   * @return why the first one is first; {@link AccessReason#ONLY_REPLICA} also when there is none
   */
  AccessReason order(AccessRequest request, ReadView view, RandomGenerator random, int[] order);

  /**
   * The host gave its answer, and the reader will ask this replica first: for strategies that count
   * their own answers. A host that gives no answer but only looks does not call this.
   *
   * @param view as it was when the order was asked for
   * @param share of the block that the reader is expected to read
   * @param counts takes up what the strategy counted; the host keeps it for {@link #takenBack}
   */
  default void answered(
      AccessRequest request, ReadView view, int replica, double share, AnswerCounts counts) {}

  /** The reader that was answered reads nothing: what was counted of its answer is taken back. */
  default void takenBack(AnswerCounts counts) {}

  /** Whether readers should tell the host what they got; then it calls {@link #reported}. */
  default boolean asksForReports() {
    return false;
  }

  /**
   * A reader told the host what it got from a replica.
   *
   * @param view shows the replica as that reader saw it; of its block nothing needs to be known
   * @param host a number that is the same for all readers of one host, well mixed
   */
  default void reported(ReadView view, int replica, ReadReport read, long host) {}

  /**
   * Whether the order weighs distances and paths of the view itself. A host that shows them need
   * not list near replicas first.
   */
  default boolean weighsDistance() {
    return false;
  }

  /**
   * Whether it asks for the paths of the view. A client's host knows them of no other strategy,
   * which would take a path for one that is counted.
   */
  default boolean asksForPaths() {
    return false;
  }

  /**
   * Whether an order is good for the moment alone: then a client asks for each block when it comes
   * to read it, and not for many when it opens the file.
   */
  default boolean isForTheMoment() {
    return false;
  }

  /**
   * A session, which the host keeps for its readers. A strategy that learns, or that counts its
   * answers, makes one with a memory; each host has its own.
   */
  default AccessSession newSession() {
    return AccessSession.withoutMemory(this);
  }

  /**
   * The reader's part of the strategy, where it has one: what the reading process does besides.
   *
   * @param speeds those of the reading process
   */
  default Optional<SlowReads> slowReads(Supplier<ReadSpeeds> speeds) {
    return Optional.empty();
  }

  /** The limits by which serving nodes are expected to refuse reads under this strategy. */
  default Admission admission() {
    return Admission.EVERY_READ;
  }

  /** How a host remembers a node that refused a read. */
  default AfterRefusal afterRefusal() {
    return AfterRefusal.AVOID_NODE;
  }
}
