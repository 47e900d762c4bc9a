package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.tierwise.core.view.LoadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves of nodes that begin together do not stay in step, and each node keeps its rate. */
class MoveTurnsSpreadTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1000 * MILLI;
  private static final long BLOCK_BYTES = 1L << 20;
  private static final int NODES = 9;
  private static final double EACH = MovementLimits.DEFAULT.nodeMovesPerSecond();

  /** A move from a node to another, or inside one. */
  private record Move(String from, String to) {
    static Move inside(int node) {
      return new Move("n" + node, "n" + node);
    }

    MoveClaim<String> claim() {
      return new MoveClaim<>(to, from, to + "/1", from + "/0", BLOCK_BYTES);
    }
  }

  /** A start of a move. */
  private record Start(long nanos, Move move) {}

  /** A host that has another move for each that it made. */
  private static final class Host {
    private final MoveTurns<Move, String> turns;
    private final LongUnaryOperator wakes;
    private long now;

    Host(MovementLimits limits, LongUnaryOperator wakes) {
      this.turns = new MoveTurns<>(limits, Move::claim);
      this.wakes = wakes;
    }

    Host with(Stream<Move> moves) {
      moves.forEach(move -> turns.add(move, 0));
      return this;
    }

    /** The starts until a moment. */
    List<Start> until(long nanos) {
      List<Start> starts = new ArrayList<>();
      while (now < nanos) {
        Optional<Move> next = turns.take(now);
        if (next.isPresent()) {
          starts.add(new Start(now, next.get()));
          turns.release(next.get());
          turns.add(next.get(), 0);
        } else {
          assertThat(turns.nextNanos()).isGreaterThan(now).isNotEqualTo(MoveTurns.NEVER);
          now = wakes.applyAsLong(turns.nextNanos());
        }
      }
      return starts;
    }
  }

  private static Stream<Move> inside(int nodes) {
    return IntStream.range(0, nodes).mapToObj(Move::inside);
  }

  private static Host nine(LongUnaryOperator wakes) {
    return new Host(MovementLimits.DEFAULT, wakes).with(inside(NODES));
  }

  /** When a thread wakes up that was to wake up at a moment. */
  private static long aLittleLate(long due) {
    return due + MILLI / 20;
  }

  /** A host that stands still from the middle of the second second. */
  private static LongUnaryOperator stall(long millis) {
    long from = 3 * SECOND / 2;
    long to = from + millis * MILLI;
    return due -> due >= from && due < to ? to : aLittleLate(due);
  }

  private static int mostWithin(long nanos, List<Start> starts) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < starts.size(); last++) {
      while (starts.get(last).nanos() - starts.get(first).nanos() >= nanos) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  private static double perSecond(List<Start> starts, long nanos) {
    return (double) starts.size() * SECOND / nanos;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 60, 90, 150, 250, 1000})
  void nodesThatBeginTogetherDoNotStayInStepAlsoAfterAStall(long stallMillis) {
    List<Start> starts = nine(stall(stallMillis)).until(5 * SECOND);

    assertThat(mostWithin(40 * MILLI, starts)).isLessThanOrEqualTo(3);
    assertThat(starts).hasSizeGreaterThan(NODES * 4 * (int) EACH * 9 / 10);
  }

  @Test
  void allOfThemKeepTheirRate() {
    List<Start> starts = nine(MoveTurnsSpreadTest::aLittleLate).until(60 * SECOND);

    assertThat(perSecond(starts, 60 * SECOND)).isCloseTo(NODES * EACH, withPercentage(2));
    inside(NODES)
        .forEach(
            move ->
                assertThat(starts.stream().filter(each -> each.move().equals(move)))
                    .hasSizeBetween(60 * (int) EACH - 2, 60 * (int) EACH + 2));
  }

  /** As a collection of the heap makes one stand still. */
  @Test
  void soTheyDoWhereTheHostStandsStillForATenthOfEachSecond() {
    LongUnaryOperator stalls =
        due -> due % SECOND < SECOND / 10 ? due - due % SECOND + SECOND / 10 : due;
    List<Start> starts = nine(stalls).until(60 * SECOND);

    assertThat(mostWithin(40 * MILLI, starts)).isLessThanOrEqualTo(3);
    assertThat(perSecond(starts, 60 * SECOND)).isCloseTo(NODES * EACH, withPercentage(10));
  }

  @Test
  void aNodeAloneKeepsItsRate() {
    Host alone = new Host(MovementLimits.DEFAULT, MoveTurnsSpreadTest::aLittleLate).with(inside(1));
    assertThat(perSecond(alone.until(20 * SECOND), 20 * SECOND)).isCloseTo(EACH, withPercentage(2));
  }

  @Test
  void nodesThatComeAndGoChangeNothingForTheOthers() {
    Host host = new Host(MovementLimits.DEFAULT, MoveTurnsSpreadTest::aLittleLate).with(inside(1));
    host.until(SECOND);

    host.with(IntStream.range(1, NODES).mapToObj(Move::inside));
    List<Start> ofAll = host.until(21 * SECOND);
    assertThat(mostWithin(40 * MILLI, ofAll)).isLessThanOrEqualTo(3);
    assertThat(perSecond(ofAll, 20 * SECOND)).isCloseTo(NODES * EACH, withPercentage(2));

    host.turns.takeOut(move -> !move.equals(Move.inside(0)));
    assertThat(perSecond(host.until(41 * SECOND), 20 * SECOND)).isCloseTo(EACH, withPercentage(2));
  }

  @Test
  void aNodeThatKeepsAShareKeepsItBesideTheOthers() {
    Host host = nine(MoveTurnsSpreadTest::aLittleLate);
    List<String> nodes = inside(NODES).map(Move::to).toList();
    host.turns.know(0, nodes, LoadView.UNKNOWN, node -> node.equals("n0") ? 0.2 : 1);
    List<Start> starts =
        host.until(20 * SECOND).stream().filter(each -> each.move().to().equals("n0")).toList();

    assertThat(perSecond(starts, 20 * SECOND)).isCloseTo(EACH / 5, withPercentage(6));
  }

  /** Each uses two nodes, whose rates fall due at different moments: at most four run at once. */
  @Test
  void movesBetweenNodesKeepTheirRateToo() {
    Stream<Move> ring =
        IntStream.range(0, NODES).mapToObj(i -> new Move("n" + i, "n" + (i + 1) % NODES));
    List<Start> starts =
        new Host(MovementLimits.DEFAULT, MoveTurnsSpreadTest::aLittleLate)
            .with(ring)
            .until(60 * SECOND);

    assertThat(mostWithin(40 * MILLI, starts)).isLessThanOrEqualTo(3);
    assertThat(perSecond(starts, 60 * SECOND)).isCloseTo(4 * EACH, withPercentage(5));
  }

  @Test
  void threadsThatWakeUpLateDoNotHoldUpALargeCluster() {
    int nodes = 1000;
    MovementLimits fast =
        MovementLimits.DEFAULT.atRates(1L << 40, 1L << 40).atMovesPerSecond((int) EACH);
    List<Start> starts = new Host(fast, due -> due + MILLI).with(inside(nodes)).until(SECOND);

    assertThat(perSecond(starts, SECOND)).isCloseTo(nodes * EACH, withPercentage(2));
  }

  @Test
  void nothingIsKeptApartWhereANodeMayBeginAnyNumberOfMoves() {
    MovementLimits any = MovementLimits.DEFAULT.atRates(1L << 40, 1L << 40);
    MoveTurns<Move, String> turns = new MoveTurns<>(any, Move::claim);
    inside(NODES).forEach(move -> turns.add(move, 0));

    // A microsecond each, which their bytes take.
    for (int node = 0; node < NODES; node++) {
      assertThat(turns.take(SECOND + 1000L * node)).contains(Move.inside(node));
    }
  }
}
