package io.tierwise.policies.recorded;

import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AnswerCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * All questions of a live host to one session of an access strategy, from its first on: a strategy
 * that counts its answers gives the later ones by the earlier ones. Not for strategies that learn
 * from what their own host's reads took.
 *
 * @param strategy its specification
 */
public record RecordedReads(String strategy, List<RecordedRead> reads) {

  /** The strategy of a session that nobody asked yet. */
  static AccessStrategy fresh(String strategy) {
    return AccessSession.of(AccessStrategies.parse(strategy)).pick(0).strategy();
  }

  /** Asks a new session all questions again; the orders. */
  public List<int[]> replay() {
    AccessStrategy again = fresh(strategy);
    List<int[]> answers = new ArrayList<>();
    Map<Integer, AnswerCounts> counts = new HashMap<>();
    for (RecordedRead read : reads) {
      for (RecordedRead.Heard heard : read.heard()) {
        again.reported(heard.replicas(), 0, heard.read(), heard.host());
      }
      int[] order = new int[read.replicas().replicaCount()];
      again.order(read.request(), read.replicas(), new SplittableRandom(read.seed()), order);
      answers.add(order);
      for (RecordedRead.Told told : read.told()) {
        tell(again, told, counts.computeIfAbsent(told.read(), number -> new AnswerCounts()));
      }
    }
    return answers;
  }

  private void tell(AccessStrategy again, RecordedRead.Told told, AnswerCounts counts) {
    if (told.isTakenBack()) {
      again.takenBack(counts);
    } else {
      RecordedRead about = reads.get(told.read());
      again.answered(about.request(), about.replicas(), told.replica(), told.share(), counts);
    }
  }

  /** The same questions of a host that no reader told anything. */
  public RecordedReads unheard() {
    return new RecordedReads(strategy, reads.stream().map(RecordedRead::unheard).toList());
  }

  /** The questions whose answers readers were given, in the order in which they were. */
  public List<RecordedRead> told() {
    return reads.stream()
        .flatMap(read -> read.told().stream())
        .map(told -> reads.get(told.read()))
        .toList();
  }
}
