package io.tierwise.hadoop.mover.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Rounds of questions to all NodeManagers, of which some never answer: those are asked after the
 * others, and none is asked while its last question is under way. Not for many threads.
 */
final class Rounds {
  private final long millisMax;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();

  /** Those that were asked the last time and gave no answer. */
  private final Set<String> late = new HashSet<>();

  /** Asks one NodeManager; empty where it has nothing to tell. */
  @FunctionalInterface
  interface Question {
    Optional<SendRates.Told> ask(NodeManager node) throws IOException;
  }

  /** Hears of one that did not answer. */
  @FunctionalInterface
  interface Silence {
    void of(NodeManager node, Throwable why);
  }

  /**
   * @param millisMax of one round
   */
  Rounds(long millisMax) {
    this.millisMax = millisMax;
  }

  /** The answers of one round. */
  List<SendRates.Told> ask(
      List<NodeManager> nodes, Question question, Silence silence, ExecutorService calls)
      throws InterruptedException {
    Set<String> begun = ConcurrentHashMap.newKeySet();
    List<NodeManager> asked = new ArrayList<>();
    List<Callable<Optional<SendRates.Told>>> questions = new ArrayList<>();
    for (NodeManager node : inOrder(nodes)) {
      if (underWay.contains(node.id())) {
        silence.of(node, new IOException("its last answer is still under way"));
      } else {
        asked.add(node);
        questions.add(() -> ask(node, question, begun));
      }
    }
    List<Future<Optional<SendRates.Told>>> results =
        calls.invokeAll(questions, millisMax, TimeUnit.MILLISECONDS);
    List<SendRates.Told> answers = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      NodeManager node = asked.get(i);
      try {
        results.get(i).get().ifPresent(answers::add);
        late.remove(node.id());
      } catch (ExecutionException e) {
        late.add(node.id());
        silence.of(node, e.getCause());
      } catch (CancellationException e) {
        if (begun.contains(node.id())) {
          late.add(node.id());
        }
        silence.of(node, new IOException("no answer in time"));
      }
    }
    return answers;
  }

  /** By chance, so that it is not always the same ones for which a round has no time. */
  private List<NodeManager> inOrder(List<NodeManager> nodes) {
    List<NodeManager> order = new ArrayList<>(nodes);
    late.retainAll(nodes.stream().map(NodeManager::id).collect(Collectors.toSet()));
    Collections.shuffle(order);
    order.sort(Comparator.comparing(node -> late.contains(node.id())));
    return order;
  }

  private Optional<SendRates.Told> ask(NodeManager node, Question question, Set<String> begun)
      throws IOException {
    begun.add(node.id());
    underWay.add(node.id());
    try {
      return question.ask(node);
    } finally {
      underWay.remove(node.id());
    }
  }
}
