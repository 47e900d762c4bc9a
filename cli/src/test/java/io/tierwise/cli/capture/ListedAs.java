package io.tierwise.cli.capture;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AnswerCounts;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;
import io.tierwise.policies.recorded.RecordedRead;
import io.tierwise.policies.recorded.RecordedReplicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Gives a strategy what another host gave it that is no view of its own: the order in which it
 * listed the replicas and the random numbers, by which it decides between equals, what nodes had
 * reported, and the numbers of hosts.
 */
final class ListedAs implements AccessStrategy {
  private final AccessStrategy strategy;
  private final SlowReads reader;
  private final List<Integer> nodes;
  private final RecordedRead live;
  private final List<RecordedRead.Heard> heard = new ArrayList<>();

  /**
   * @param reader tells what it read; null where it tells nothing
   * @param nodes of the replicas as the other host listed them, by this host's numbers
   * @param live the other host's question
   */
  ListedAs(AccessStrategy strategy, SlowReads reader, List<Integer> nodes, RecordedRead live) {
    this.strategy = strategy;
    this.reader = reader;
    this.nodes = nodes;
    this.live = live;
  }

  /** What the reader told. */
  List<RecordedRead.Heard> heard() {
    return heard;
  }

  @Override
  public String name() {
    return strategy.name();
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    int[] numbers = nodes.stream().mapToInt(node -> replicaOn(node, view)).toArray();
    RecordedReplicas seen =
        RecordedReplicas.of(view).listedAs(numbers).withReportsOf(live.replicas());
    int[] answer = new int[order.length];
    AccessReason reason = strategy.order(request, seen, new SplittableRandom(live.seed()), answer);
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
  public void answered(
      AccessRequest request, ReadView view, int replica, double share, AnswerCounts counts) {
    strategy.answered(request, view, replica, share, counts);
  }

  @Override
  public Optional<SlowReads> slowReads(Supplier<ReadSpeeds> speeds) {
    return Optional.ofNullable(reader);
  }

  @Override
  public void reported(ReadView view, int replica, ReadReport read, long host) {
    long liveHost = live.heard().get(heard.size()).host();
    heard.add(new RecordedRead.Heard(RecordedReplicas.of(view), read, liveHost));
    strategy.reported(view, replica, read, liveHost);
  }
}
