package io.tierwise.cli.capture;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A strategy that keeps what it was asked last and what it answered. */
final class HeardStrategy implements AccessStrategy {
  private final AccessStrategy strategy;
  private Answer answer;

  HeardStrategy(AccessStrategy strategy) {
    this.strategy = strategy;
  }

  /** A question and its answer, by the numbers of replicas. */
  record Answer(
      AccessRequest request, List<Integer> tiers, List<Integer> hops, List<Integer> order) {}

  Answer answer() {
    return answer;
  }

  @Override
  public String name() {
    return strategy.name();
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    AccessReason reason = strategy.order(request, view, random, order);
    List<Integer> all = IntStream.range(0, view.replicaCount()).boxed().toList();
    answer =
        new Answer(
            request,
            all.stream().map(view::tier).toList(),
            all.stream().map(view::distance).toList(),
            Arrays.stream(order, 0, view.replicaCount()).boxed().toList());
    return reason;
  }
}
