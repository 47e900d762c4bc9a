package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread reads through one stream, which null stands for. */
class RetryRoundsTest {
  private static final int ROUNDS = RetryPatience.rounds(ClientKeys.RETRY_WINDOW_MILLIS_DEFAULT);

  private final AtomicLong nanos = new AtomicLong(-TimeUnit.DAYS.toNanos(1));
  private final RetryRounds rounds = new RetryRounds(nanos::get);

  RetryRoundsTest() {
    rounds.looks(null, 1);
  }

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Reads as Hadoop's stream does until it gives up; how many rounds that took. */
  private int roundsOfRead(long roundMillis) {
    for (int failed = 0; ; failed++) {
      rounds.looks(null, 0);
      pass(roundMillis);
      rounds.looks(null, 0);
      if (rounds.failed(failed) || failed >= ROUNDS) {
        assertThat(rounds.failed(failed)).as("asked again").isEqualTo(failed < ROUNDS);
        return failed + 1;
      }
    }
  }

  @Test
  void nodesThatAreBusyOrAwayAreAskedAsOftenAsItTakes() {
    assertThat(roundsOfRead(1)).isEqualTo(ROUNDS + 1);
    assertThat(roundsOfRead(1)).as("of the next read").isEqualTo(ROUNDS + 1);
  }

  /** Stock: four rounds and waits of 27 s at the longest. */
  @ParameterizedTest
  @ValueSource(longs = {2_000, 9_000, 60_000, 180_000})
  void nodesThatHangCostNoMoreThanARoundBeyondWhatStockTakesAtTheLongest(long roundMillis) {
    long stockMillis = 4 * roundMillis + 27_000;
    assertThat(roundsOfRead(roundMillis) * roundMillis)
        .isBetween(stockMillis, stockMillis + roundMillis);
    assertThat(roundsOfRead(roundMillis) * roundMillis)
        .as("the next read, whose first round is not measured")
        .isBetween(stockMillis, stockMillis + 2 * roundMillis);
  }

  @Test
  void whatIsReadInBetweenBeginsAnew() {
    for (int block = 0; block < 100; block++) {
      rounds.looks(null, block);
      pass(60_000);
      assertThat(rounds.failed(0)).as("block %s", block).isFalse();
    }
  }
}
