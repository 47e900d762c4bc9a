package io.tierwise.cli.capture;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.recorded.RecordedRead;
import io.tierwise.policies.recorded.RecordedReplicas;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Gives a strategy what another host gave it that is no view of its own: the order in which it
 * listed the replicas and the random numbers, by which it decides between equals, and what nodes
 * had reported.
 */
final class ListedAs implements AccessStrategy {
  private final AccessStrategy strategy;
  private final List<Integer> nodes;
  private final RecordedRead live;
  private RecordedReplicas seen;
  private int[] answer;

  /**
   * @param nodes of the replicas as the other host listed them, by this host's numbers
   * @param live the other host's question
   */
  ListedAs(AccessStrategy strategy, List<Integer> nodes, RecordedRead live) {
    this.strategy = strategy;
    this.nodes = nodes;
    this.live = live;
  }

  /** What the strategy saw, in the other host's order. */
  RecordedReplicas seen() {
    return seen;
  }

  /** What it answered, by the other host's numbers. */
  int[] answer() {
    return answer;
  }

  @Override
  public String name() {
    return strategy.name();
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    int[] numbers = nodes.stream().mapToInt(node -> replicaOn(node, view)).toArray();
    seen = RecordedReplicas.of(view).listedAs(numbers).withReportsOf(live.replicas());
    AccessReason reason = strategy.order(request, seen, new SplittableRandom(live.seed()), order);
    answer = Arrays.copyOf(order, numbers.length);
    for (int place = 0; place < numbers.length; place++) {
      order[place] = numbers[answer[place]];
    }
    return reason;
  }

  private static int replicaOn(int node, ReadView view) {
    return IntStream.range(0, view.replicaCount())
        .filter(replica -> view.nodeKey(replica) == node)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void answered(AccessRequest request, ReadView view, int replica, double share) {
    strategy.answered(request, view, replica, share);
  }
}
