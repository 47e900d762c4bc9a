package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OtherNameServiceTest {
  private static final OtherNameService.Answer MOVES =
      new OtherNameService.Answer(true, Set.of("a"));
  private static final OtherNameService.Answer APART = new OtherNameService.Answer(false, Set.of());
  private static final int HOUR_SECONDS = 3600;

  private final List<Runnable> held = new ArrayList<>();
  private final List<Long> askedSeconds = new CopyOnWriteArrayList<>();
  private long nowSeconds;
  private final KnownNameService times = new KnownNameService(0);
  private OtherNameService.Answer answer = MOVES;
  private boolean closed;
  private final OtherNameService other = known(times);

  /** Answers, or fails where there is no answer. */
  private class Asked implements OtherNameService.Question {
    @Override
    public OtherNameService.Answer ask() throws IOException {
      askedSeconds.add(nowSeconds);
      if (answer == null) {
        throw new IOException("Connection refused\nwith a trace");
      }
      return answer;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private OtherNameService known(KnownNameService known) {
    return of(new Asked(), known);
  }

  private OtherNameService known(Asked asked) {
    return of(asked, new KnownNameService(0));
  }

  private OtherNameService of(Asked asked, KnownNameService known) {
    return new OtherNameService(
        URI.create("hdfs://other"), asked, known, () -> TimeUnit.SECONDS.toNanos(nowSeconds));
  }

  private void lookEachSecond(Executor calls, long seconds) {
    for (long end = nowSeconds + seconds; nowSeconds < end; nowSeconds++) {
      var unused = other.look(calls);
    }
  }

  private static List<Long> seconds(long... seconds) {
    return LongStream.of(seconds).boxed().toList();
  }

  @Test
  void oneThatAnswersIsAskedEachThreeSecondsAndItsNodesAreShared() {
    lookEachSecond(Runnable::run, 10);

    assertThat(askedSeconds).isEqualTo(seconds(0, 3, 6, 9));
    assertThat(other.movesOn("a")).isTrue();
    assertThat(other.movesOn("b")).isFalse();
    assertThat(other.unseen()).isNull();
  }

  @Test
  void oneThatFailsIsAskedAfterPausesThatDoubleUpToHalfAMinute() {
    answer = null;
    lookEachSecond(Runnable::run, 140);

    assertThat(askedSeconds).isEqualTo(seconds(0, 3, 9, 21, 45, 75, 105, 135));
    assertThat(OtherMovers.line(List.of(other.unseen())))
        .contains("hdfs://other", "(Connection refused)");
  }

  @Test
  void anAnswerEndsThePauses() {
    answer = null;
    lookEachSecond(Runnable::run, 22);
    answer = MOVES;
    lookEachSecond(Runnable::run, 30);
    assertThat(askedSeconds.subList(4, 7)).isEqualTo(seconds(45, 48, 51));
    assertThat(times.failure()).isNull();

    askedSeconds.clear();
    answer = null;
    lookEachSecond(Runnable::run, 20);
    assertThat(askedSeconds).isEqualTo(seconds(54, 57, 63));
  }

  /** It must not be taken for one whose mover has ended. */
  @Test
  void oneThatFallsSilentKeepsItsPartForHalfAMinuteAndNoLonger() {
    lookEachSecond(Runnable::run, 1);
    answer = null;

    lookEachSecond(Runnable::run, 29);
    assertThat(nowSeconds).isEqualTo(30);
    assertThat(other.movesOn("a")).isTrue();
    nowSeconds++;
    assertThat(other.movesOn("a")).isFalse();
    assertThat(other.unseen()).isNotNull();
  }

  @Test
  void whatWentWrongIsToldAlsoWhenItIsOver() {
    answer = null;
    lookEachSecond(Runnable::run, 1);
    answer = MOVES;
    lookEachSecond(Runnable::run, 10);

    assertThat(times.failure()).isNull();
    assertThat(OtherMovers.line(List.of(other.unseen()))).contains("could not always share");
  }

  @Test
  void oneWithNodesOfItsOwnIsAskedEachTenMinutesAndItsFailuresConcernNobody() {
    answer = APART;
    lookEachSecond(Runnable::run, 1);
    answer = null;
    lookEachSecond(Runnable::run, 610);

    assertThat(askedSeconds).isEqualTo(seconds(0, 600, 603, 609));
    assertThat(other.movesOn("a")).isFalse();
    assertThat(other.unseen()).isNull();
  }

  @Test
  void aCallThatHangsIsAFailureAfterTenSecondsAndTheOnlyOneUnderWay() {
    lookEachSecond(held::add, 11);
    assertThat(other.unseen()).isNull();
    lookEachSecond(held::add, HOUR_SECONDS);
    assertThat(held).hasSize(1);
    assertThat(other.unseen().why()).isEqualTo("no answer within 10 s");

    held.get(0).run();
    assertThat(other.movesOn("a")).isTrue();
    assertThat(times.failure()).isNull();
  }

  /** Else a hung call that fails at last would count twice. */
  @Test
  void theLateEndOfAHungCallIsNoSecondFailure() {
    answer = null;
    lookEachSecond(held::add, 13);
    held.get(0).run();
    lookEachSecond(Runnable::run, 10);

    // The first failure was at 11 s.
    assertThat(askedSeconds).isEqualTo(seconds(13, 14, 20));
  }

  @Test
  void theNextMoverKnowsThatItDoesNotAnswer() {
    answer = null;
    lookEachSecond(Runnable::run, 1);

    OtherNameService next = known(times);
    assertThat(next.unseen().why()).isEqualTo("Connection refused");
    assertThat(next.look(Runnable::run)).isEmpty();
  }

  @Test
  void aCallThatEndsAfterTheCloseTellsNothingAndClosesWhatItMade() {
    answer = null;
    lookEachSecond(held::add, 1);
    other.close();
    assertThat(closed).isFalse();

    held.get(0).run();
    assertThat(closed).isTrue();
    assertThat(times.failure()).isNull();
    lookEachSecond(held::add, 100);
    assertThat(held).hasSize(1);
  }

  /** Else each mover of a daemon that moves for moments alone would wait for it, and name none. */
  @Test
  void aCallThatAMoverWaitedForInVainIsAFailureWhenItsCloseCutsItOff() {
    lookEachSecond(held::add, 5);
    other.close();

    assertThat(times.failure()).isEqualTo("no answer within 5 s");
    OtherNameService next = known(times);
    assertThat(next.unseen().why()).isEqualTo("no answer within 5 s");
    assertThat(next.look(held::add)).isEmpty();
    nowSeconds += 3;
    assertThat(next.patienceNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(1));
    assertThat(next.look(held::add)).isPresent();
    nowSeconds += 1;
    next.close();
    assertThat(times.failure()).isEqualTo("no answer within 1 s");
    assertThat(times.isDue(TimeUnit.SECONDS.toNanos(nowSeconds + 5))).isFalse();
    assertThat(times.isDue(TimeUnit.SECONDS.toNanos(nowSeconds + 6))).isTrue();
  }

  @Test
  void aCallThatACloseCutsOffSoonSaysNothing() {
    lookEachSecond(held::add, 4);
    other.close();

    assertThat(times.failure()).isNull();
    assertThat(known(times).look(held::add)).isPresent();
  }

  @Test
  void theNextMoverKnowsWhatWasHeardOfLate() {
    lookEachSecond(Runnable::run, 1);
    other.close();

    OtherNameService next = known(times);
    assertThat(next.look(Runnable::run)).isEmpty();
    assertThat(next.movesOn("a")).isTrue();
    nowSeconds = 31;
    assertThat(next.movesOn("a")).isFalse();
  }

  @Test
  void aCloseWithoutACallClosesAtOnce() {
    lookEachSecond(Runnable::run, 1);
    other.close();
    assertThat(closed).isTrue();
  }

  @Test
  void oneThatHangsDelaysNoNewsOfOthers() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    Asked answers = new Asked();
    Asked never =
        new Asked() {
          @Override
          public OtherNameService.Answer ask() throws IOException {
            await(hangs);
            return super.ask();
          }
        };
    List<OtherNameService> both = List.of(known(never), known(answers));
    try (OtherMovers movers = new OtherMovers(both)) {
      CompletableFuture<Void> started = CompletableFuture.runAsync(movers::start);
      LiveCluster.await("news of the other one", () -> movers.part("a") == 0.5);
      assertThat(movers.part("b")).isEqualTo(1);

      hangs.countDown();
      LiveCluster.await("news of both", () -> movers.part("a") == 1.0 / 3);
      started.get(1, TimeUnit.MINUTES);
    }
  }

  /** A run that is over before a call counts as failed would say nothing of it. */
  @Test
  void oneThatAnswersWhenMovesHaveBegunIsNamedUnlessItSharesNoNode() throws Exception {
    for (OtherNameService.Answer late : List.of(MOVES, APART)) {
      answer = late;
      CountDownLatch slow = new CountDownLatch(1);
      OtherNameService first =
          known(
              new Asked() {
                @Override
                public OtherNameService.Answer ask() throws IOException {
                  await(slow);
                  return super.ask();
                }
              });
      try (OtherMovers movers = new OtherMovers(List.of(first))) {
        movers.start();
        assertThat(movers.unseen())
            .extracting(one -> one.why())
            .containsExactly("no answer within 5 s");

        slow.countDown();
        LiveCluster.await("the answer", () -> movers.part("a") == 0.5 || movers.unseen().isEmpty());
        assertThat(movers.unseen()).hasSize(late.shares() ? 1 : 0);
      }
    }
  }

  @Test
  void oneWithNodesOfItsOwnIsNotNamedForAnAnswerThatComesLate() {
    answer = APART;
    lookEachSecond(Runnable::run, 1);
    nowSeconds = 600;
    lookEachSecond(held::add, 6);
    other.movesBeginUnanswered(TimeUnit.SECONDS.toNanos(5));
    assertThat(other.unseen()).isNull();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }
}
