package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.LoadView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveTurnsTest {
  private static final long SECOND = 1_000_000_000L;

  /** A move of so many bytes inside a node. */
  private record Inside(String node, long bytes) {}

  private static MoveTurns<Inside, String> turns(long nodeRate, long allRate, int atOnce) {
    return new MoveTurns<>(
        new MovementLimits(nodeRate, allRate, atOnce, 0),
        move ->
            new MoveClaim<>(
                move.node(), move.node(), move.node() + "/1", move.node() + "/0", move.bytes()));
  }

  @Test
  void saysWhenTheNextMoveMayStart() {
    MoveTurns<Inside, String> turns = turns(100, 1_000_000, 4);
    Inside first = new Inside("a", 50);
    Inside second = new Inside("a", 60);
    turns.add(first, 0);
    turns.add(second, 0);

    assertThat(turns.take(0)).contains(first);
    assertThat(turns.take(0)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(SECOND / 2);
    assertThat(turns.take(SECOND / 2)).contains(second);
  }

  @Test
  void whatMovesOweOutlastsARunAndWhatWaitsDoesNot() {
    MoveTurns<Inside, String> turns = turns(100, 1_000_000, 1);
    Inside first = new Inside("a", 300);
    turns.add(first, 0);
    turns.add(new Inside("b", 1), 0);
    assertThat(turns.take(0)).contains(first);

    MoveTurns<Inside, String> next = turns.next(SECOND);

    assertThat(next.isWaiting()).isFalse();
    Inside second = new Inside("a", 10);
    next.add(second, 0);
    assertThat(next.take(SECOND)).isEmpty();
    assertThat(next.nextNanos()).isEqualTo(3 * SECOND);
    // The node's one move at once was of the run before.
    assertThat(next.take(3 * SECOND)).contains(second);
  }

  @Test
  void sharesOutlastARunUntilNodesAreKnownAnew() {
    MoveTurns<Inside, String> turns = turns(100, 1_000_000, 4);
    turns.know(0, List.of("a"), LoadView.UNKNOWN, node -> 0.5);

    MoveTurns<Inside, String> next = turns.next(100 * SECOND);
    Inside first = new Inside("a", 100);
    next.add(first, 0);
    next.add(new Inside("a", 100), 0);
    assertThat(next.take(100 * SECOND)).contains(first);
    assertThat(next.take(100 * SECOND)).isEmpty();
    assertThat(next.nextNanos()).isEqualTo(102 * SECOND);
    assertThat(next.yielded(101 * SECOND)).isEqualTo(new MoveTurns.Yielded(1, 1));
    next.know(101 * SECOND, List.of("a"), LoadView.UNKNOWN, node -> 1);
    assertThat(next.take(101 * SECOND)).isEmpty();
    assertThat(next.nextNanos()).isEqualTo(101 * SECOND + SECOND / 2);
  }

  @Test
  void whereAllWaitForOthersNoMomentIsNamed() {
    MoveTurns<Inside, String> turns = turns(1000, 1_000_000, 1);
    Inside first = new Inside("a", 1);
    turns.add(first, 0);
    turns.add(new Inside("a", 2), 0);

    assertThat(turns.take(0)).contains(first);
    assertThat(turns.take(SECOND)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(MoveTurns.NEVER);
    turns.release(first);
    assertThat(turns.take(SECOND)).isPresent();
  }

  @Test
  void aMoveStartsNoSoonerThanItsHostSays() {
    MoveTurns<Inside, String> turns = turns(1000, 1000, 1);
    turns.add(new Inside("a", 1), 7 * SECOND);
    turns.add(new Inside("a", 2), 9 * SECOND);

    assertThat(turns.take(6 * SECOND)).isEmpty();
    assertThat(turns.nextNanos()).as("of the first of two").isEqualTo(7 * SECOND);
    assertThat(turns.takeOut(move -> false)).isEmpty();
    assertThat(turns.takeOut(move -> true)).hasSize(2);
    assertThat(turns.take(8 * SECOND)).isEmpty();
  }

  /** So many transfers at each of two nodes. */
  private record Told(int first, int second) implements LoadView {
    @Override
    public int transfers(int node) {
      return node == 0 ? first : second;
    }

    @Override
    public long ageMillis(int node) {
      return 0;
    }
  }

  private static final List<String> NODES = List.of("a", "b");
  private static final int IDLE = MovementLimits.YIELD_ABOVE;

  @Test
  void movesWaitAtANodeThatServesMuchElseAndGoOnAfterwards() {
    MoveTurns<Inside, String> turns = turns(100, 1L << 40, 4);
    turns.know(0, NODES, new Told(4 * IDLE + 4, 0));
    for (int i = 0; i < 3; i++) {
      turns.add(new Inside("a", 100), 0);
      turns.add(new Inside("b", 100), 0);
    }

    assertThat(turns.take(0)).contains(new Inside("a", 100));
    assertThat(turns.take(0)).contains(new Inside("b", 100));
    turns.release(new Inside("a", 100));
    assertThat(turns.take(SECOND)).contains(new Inside("b", 100));
    assertThat(turns.take(SECOND)).as("a makes a quarter as many").isEmpty();
    turns.know(2 * SECOND, NODES, new Told(0, 0));
    assertThat(turns.take(2 * SECOND)).contains(new Inside("b", 100));
    assertThat(turns.take(2 * SECOND + SECOND / 2)).as("half its time is paid for").isPresent();
    assertThat(turns.yielded(9 * SECOND)).isEqualTo(new MoveTurns.Yielded(1, 2));
  }

  @Test
  void aNodeThatServesMuchElseMakesFewerMovesAtOnceAndAtLeastOne() {
    MoveTurns<Inside, String> turns = turns(1L << 40, 1L << 40, 4);
    turns.know(0, NODES, new Told(2 * IDLE + 4, 100 * IDLE));
    for (int i = 0; i < 4; i++) {
      turns.add(new Inside("a", 1), 0);
      turns.add(new Inside("b", 1), 0);
    }

    List<String> started = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      turns.take(SECOND + i).ifPresent(move -> started.add(move.node()));
    }
    assertThat(started).containsExactlyInAnyOrder("a", "a", "b");
  }

  @Test
  void besideAnotherMoverANodeKeepsHalfItsRate() {
    MoveTurns<Inside, String> turns = turns(100, 1L << 40, 4);
    turns.know(0, NODES, LoadView.UNKNOWN, node -> node.equals("a") ? 0.5 : 1);
    for (int i = 0; i < 2; i++) {
      turns.add(new Inside("a", 100), 0);
      turns.add(new Inside("b", 100), 0);
    }

    assertThat(turns.take(0)).contains(new Inside("a", 100));
    assertThat(turns.take(0)).contains(new Inside("b", 100));
    assertThat(turns.take(SECOND)).contains(new Inside("b", 100));
    assertThat(turns.take(SECOND)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void besideAnotherMoverAllMovesTogetherKeepTheLeastPart() {
    MoveTurns<Inside, String> turns = turns(1L << 40, 100, 4);
    turns.know(0, NODES, LoadView.UNKNOWN, node -> node.equals("a") ? 0.25 : 1);
    turns.add(new Inside("b", 100), 0);
    turns.add(new Inside("b", 100), 0);

    assertThat(turns.take(0)).isPresent();
    assertThat(turns.take(SECOND)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(4 * SECOND);
    turns.know(SECOND, NODES, LoadView.UNKNOWN, node -> 1);
    assertThat(turns.take(4 * SECOND)).isPresent();
  }
}
