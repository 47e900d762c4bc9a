package io.tierwise.policies.recorded;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AnswerCounts;
import io.tierwise.policies.access.ReadReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Decides as another strategy does, and records what that one was asked and told. */
public final class RecordingAccess implements AccessStrategy {
  private String specification;
  private final List<RecordedRead> reads = new ArrayList<>();
  private final List<RecordedRead.Heard> heard = new ArrayList<>();
  private AccessStrategy strategy;

  /** Some questions are equal: hosts hand back the one that they asked. */
  private final IdentityHashMap<AccessRequest, Integer> numbers = new IdentityHashMap<>();

  /** What hosts keep of an answer, for as long as they may take it back. */
  private final IdentityHashMap<AnswerCounts, RecordedRead.Told> answers = new IdentityHashMap<>();

  /**
   * Records from the beginning.
   *
   * @param specification of the strategy; it must not learn from what its host's reads took
   */
  public RecordingAccess(String specification) {
    begin(specification);
  }

  /** Forgets all, as a host does that starts; from now on decides by that strategy. */
  public synchronized void begin(String newSpecification) {
    specification = newSpecification;
    strategy = RecordedReads.fresh(newSpecification);
    reads.clear();
    heard.clear();
    numbers.clear();
    answers.clear();
  }

  /** What was asked and told since the beginning. */
  public synchronized RecordedReads reads() {
    return new RecordedReads(specification, List.copyOf(reads));
  }

  @Override
  public synchronized String name() {
    return strategy.name();
  }

  @Override
  public synchronized AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    long seed = random.nextLong();
    RecordedReplicas seen = RecordedReplicas.of(view);
    AccessReason why = strategy.order(request, view, new SplittableRandom(seed), order);
    int[] answer = Arrays.copyOf(order, view.replicaCount());
    numbers.put(request, reads.size());
    reads.add(
        new RecordedRead(
            List.copyOf(heard), seen, request, seed, answer, why.text(), new ArrayList<>()));
    heard.clear();
    return why;
  }

  @Override
  public synchronized void answered(
      AccessRequest request, ReadView view, int replica, double share, AnswerCounts counts) {
    strategy.answered(request, view, replica, share, counts);
    Integer read = numbers.get(request);
    if (read != null) {
      RecordedRead.Told told = new RecordedRead.Told(read, replica, share);
      answers.put(counts, told);
      reads.get(reads.size() - 1).told().add(told);
    }
  }

  @Override
  public synchronized void takenBack(AnswerCounts counts) {
    strategy.takenBack(counts);
    RecordedRead.Told answer = answers.remove(counts);
    if (answer != null) {
      reads.get(reads.size() - 1).told().add(answer.takenBack());
    }
  }

  @Override
  public synchronized boolean asksForReports() {
    return strategy.asksForReports();
  }

  @Override
  public synchronized void reported(ReadView view, int replica, ReadReport read, long host) {
    strategy.reported(view, replica, read, host);
    heard.add(new RecordedRead.Heard(RecordedReplicas.of(view), read, host));
  }

  @Override
  public synchronized boolean weighsDistance() {
    return strategy.weighsDistance();
  }

  @Override
  public synchronized boolean isForTheMoment() {
    return strategy.isForTheMoment();
  }

  @Override
  public synchronized boolean asksForPaths() {
    return strategy.asksForPaths();
  }
}
