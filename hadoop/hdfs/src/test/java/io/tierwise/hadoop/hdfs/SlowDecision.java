package io.tierwise.hadoop.hdfs;

import java.util.concurrent.TimeUnit;

/** A decision that a test makes wait, for as long as {@link ClassTimes} takes for slow. */
public final class SlowDecision {
  private SlowDecision() {}

  /** Returns when all that run now are slow, by the clock that times them. */
  public static void await() throws InterruptedException {
    long begin = CoarseClock.nanos();
    while (CoarseClock.nanos() - begin <= ClassTimes.SLOW_NANOS) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
