package io.tierwise.hadoop.mover.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.shuffle.SendRates.Told;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final int ROUNDS = 10;

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<String> silent = new ArrayList<>();
  private ExecutorService calls;

  @AfterEach
  void end() {
    calls.shutdownNow();
  }

  private static NodeManager node(String id) {
    return new NodeManager(id, id, "http://" + id);
  }

  private static Optional<Told> told(NodeManager node) {
    return Optional.of(new Told(node.id(), Set.of(node.host()), 1, 1));
  }

  private List<String> ask(Rounds rounds, List<NodeManager> nodes, Rounds.Question question)
      throws InterruptedException {
    asked.clear();
    silent.clear();
    Rounds.Question noted =
        node -> {
          asked.add(node.id());
          return question.ask(node);
        };
    return rounds.ask(nodes, noted, (node, why) -> silent.add(node.id()), calls).stream()
        .map(Told::id)
        .toList();
  }

  @Test
  void oneWhoseAnswerNeverEndsIsAskedOnceAndTakesNothingFromOthers() throws Exception {
    calls = Executors.newFixedThreadPool(2);
    Rounds rounds = new Rounds(500);
    CountDownLatch ends = new CountDownLatch(1);
    List<NodeManager> nodes = List.of(node("endless"), node("a"), node("b"));
    Rounds.Question question =
        node -> {
          if (node.id().equals("endless")) {
            ShuffleWatchTest.awaitDeaf(ends);
          }
          return told(node);
        };
    assertThat(ask(rounds, nodes, question)).containsExactlyInAnyOrder("a", "b");
    assertThat(silent).containsExactly("endless");
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(ask(rounds, nodes, question)).containsExactlyInAnyOrder("a", "b");
      assertThat(asked).doesNotContain("endless");
      assertThat(silent).containsExactly("endless");
    }

    ends.countDown();
    while (!ask(rounds, nodes, question).contains("endless")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void thoseThatDidNotAnswerAreAskedAfterTheOthers() throws Exception {
    calls = Executors.newSingleThreadExecutor();
    Rounds rounds = new Rounds(10_000);
    List<NodeManager> nodes =
        IntStream.range(0, 40).mapToObj(i -> node((i % 2 == 0 ? "dead" : "live") + i)).toList();
    Rounds.Question question =
        node -> {
          if (node.id().startsWith("dead")) {
            throw new IOException("gone");
          }
          return told(node);
        };
    ask(rounds, nodes, question);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(ask(rounds, nodes, question)).hasSize(20);
      assertThat(asked.subList(0, 20)).allMatch(id -> id.startsWith("live"));
      assertThat(asked.subList(20, 40)).allMatch(id -> id.startsWith("dead"));
    }
  }

  @Test
  void itIsNotAlwaysTheSameForWhichTheTimeIsTooShort() throws Exception {
    calls = Executors.newSingleThreadExecutor();
    Rounds rounds = new Rounds(10_000);
    List<NodeManager> nodes = IntStream.range(0, 40).mapToObj(i -> node("n" + i)).toList();
    ask(rounds, nodes, RoundsTest::told);
    List<String> first = List.copyOf(asked);
    ask(rounds, nodes, RoundsTest::told);
    assertThat(asked).containsExactlyInAnyOrderElementsOf(first).isNotEqualTo(first);
  }
}
