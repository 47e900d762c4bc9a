package io.tierwise.cli.capture;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AnswerCounts;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.recorded.RecordedReplicas;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A strategy that keeps what it was asked last and what it answered. */
final class HeardStrategy implements AccessStrategy {
  private final AccessStrategy strategy;
  private AccessRequest request;
  private RecordedReplicas seen;
  private int[] order;

  HeardStrategy(AccessStrategy strategy) {
    this.strategy = strategy;
  }

  /** A question and its answer, by the numbers of replicas. */
  record Answer(
      AccessRequest request, List<Integer> tiers, List<Integer> hops, List<Integer> order) {}

  Answer answer() {
    List<Integer> all = IntStream.range(0, seen.replicaCount()).boxed().toList();
    return new Answer(
        request,
        all.stream().map(seen::tier).toList(),
        all.stream().map(seen::distance).toList(),
        Arrays.stream(order).boxed().toList());
  }

  /** The replicas as they were at the last question. */
  RecordedReplicas seen() {
    return seen;
  }

  /** Their order in the last answer. */
  int[] order() {
    return order;
  }

  @Override
  public String name() {
    return strategy.name();
  }

  @Override
  public AccessReason order(
      AccessRequest asked, ReadView view, RandomGenerator random, int[] answer) {
    AccessReason reason = strategy.order(asked, view, random, answer);
    request = asked;
    seen = RecordedReplicas.of(view);
    order = Arrays.copyOf(answer, view.replicaCount());
    return reason;
  }

  @Override
  public void answered(
      AccessRequest about, ReadView view, int replica, double share, AnswerCounts counts) {
    strategy.answered(about, view, replica, share, counts);
  }

  @Override
  public void takenBack(AnswerCounts counts) {
    strategy.takenBack(counts);
  }

  @Override
  public void reported(ReadView view, int replica, ReadReport read, long host) {
    strategy.reported(view, replica, read, host);
  }
}
