package io.tierwise.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.LogLines;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A class of policies that takes too long, by a clock of its own. */
class ClassTimesTest {
  private static final long ALLOWED_MILLIS = 10_000;

  /** More than lies between two looks at what runs. */
  private static final long LOOK_MILLIS = 21;

  private static final long MINUTE_MILLIS = 60_000;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
  private final LogLines lines = new LogLines(ClassTimesTest.class);
  private final DecisionTimes all =
      new DecisionTimes(
          new DecisionTimes.Question(
              "do it", "others do it", TimeUnit.MILLISECONDS.toNanos(ALLOWED_MILLIS)),
          new DecisionTimes.Sources(LoggerFactory.getLogger(ClassTimesTest.class), clock::get));
  private final ClassTimes times = all.of(String.class);

  @AfterEach
  void close() {
    lines.close();
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void decide(long millis) {
    int began = times.begin();
    pass(millis);
    times.end(began);
  }

  /** Decides for as long as it may; how often it did. */
  private int decideWhileAllowed(long millisEach, int timesMax) {
    int count = 0;
    while (count < timesMax && times.mayDecide()) {
      decide(millisEach);
      count++;
    }
    return count;
  }

  @Test
  void aClassThatIsQuickIsNeverSetAsideHoweverOftenItDecides() {
    int often = 100_000;
    assertThat(decideWhileAllowed(50, often)).isEqualTo(often);
    assertThat(all.slow()).containsEntry(String.class.getName(), 0L);
    assertThat(all.seconds()).containsEntry(String.class.getName(), 50e-3 * often);
    assertThat(lines.with("")).isEmpty();
  }

  @Test
  void slowDecisionsTakeWhatIsAllowedOfEachMinuteAndNoMore() {
    for (int minute = 1; minute <= 3; minute++) {
      assertThat(decideWhileAllowed(500, 1_000)).isEqualTo(ALLOWED_MILLIS / 500);
      assertThat(lines.with(" took 500 ms to do it; more than 50 ms is slow")).hasSize(minute);
      assertThat(lines.with(": others do it for the rest of it")).hasSize(minute);
      assertThat(lines.with("")).hasSize(2 * minute);
      pass(MINUTE_MILLIS - ALLOWED_MILLIS - 1);
      assertThat(times.mayDecide()).isFalse();
      assertThat(times.tryBegin()).isEqualTo(ClassTimes.SET_ASIDE);
      pass(501);
    }
    assertThat(all.slow()).containsEntry(String.class.getName(), 3 * ALLOWED_MILLIS / 500);
  }

  @Test
  void otherClassesGoOn() {
    decideWhileAllowed(500, 1_000);
    assertThat(times.mayDecide()).isFalse();
    assertThat(all.of(Integer.class).mayDecide()).isTrue();
  }

  @Test
  void notMoreThanThreeAreSlowAtOnce() {
    int[] began = {times.begin(), times.begin(), times.begin()};
    assertThat(times.mayDecide()).isTrue();
    pass(51);
    assertThat(times.mayDecide()).isFalse();
    times.end(began[0]);
    pass(LOOK_MILLIS);
    assertThat(times.mayDecide()).isTrue();
  }

  /** All that ran then were slow. */
  @Test
  void aMachineThatStandsStillSetsItsPoliciesAsideForAMillisecond() {
    for (int pause = 0; pause < 10; pause++) {
      assertThat(times.mayDecide()).isTrue();
      int[] began = {times.begin(), times.begin(), times.begin(), times.begin()};
      pass(300);
      assertThat(times.mayDecide()).isFalse();
      for (int place : began) {
        times.end(place);
      }
      pass(1);
      assertThat(times.mayDecide()).isTrue();
      pass(LOOK_MILLIS);
    }
  }

  @Test
  void aDecisionThatHangsIsToldOfThoughNobodyAsksForAnother() {
    times.begin();
    pass(ALLOWED_MILLIS + LOOK_MILLIS);
    assertThat(lines.with("")).isEmpty();
    all.look();
    assertThat(lines.with("has taken ")).hasSize(1);
  }

  /** All that ran then were slow, at one time. */
  @Test
  void decisionsThatAreSlowAtOneTimeCountOnce() {
    for (int pause = 0; pause < 4; pause++) {
      int[] began = new int[50];
      for (int i = 0; i < began.length; i++) {
        began[i] = times.begin();
      }
      pass(2_000);
      for (int place : began) {
        times.end(place);
      }
      pass(LOOK_MILLIS);
      assertThat(times.mayDecide()).isTrue();
    }
    assertThat(lines.with("for the rest of it")).isEmpty();
  }

  /** Two of them hold two threads for ever, and nobody else's. */
  @Test
  void decisionsThatNeverEndSetTheirClassAside() {
    times.begin();
    times.begin();
    long waited = 0;
    while (times.mayDecide()) {
      decide(1);
      pass(9);
      waited += 10;
    }
    assertThat(waited).isBetween(ALLOWED_MILLIS, ALLOWED_MILLIS + 100);
    for (int minute = 0; minute < 5; minute++) {
      pass(MINUTE_MILLIS);
      assertThat(times.mayDecide()).isFalse();
    }
  }

  @Test
  void moreAtOnceThanHavePlacesAreNotTimed() {
    int began = 0;
    for (int i = 0; i < 200; i++) {
      began = times.begin();
    }
    pass(1_000);
    times.end(began);
    assertThat(all.slow()).containsEntry(String.class.getName(), 0L);
  }
}
