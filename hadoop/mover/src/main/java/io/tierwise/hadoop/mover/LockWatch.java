package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the mover still has its lock. One that stood still for a minute, or
 * was cut off from the NameNode, may have lost it: two movers together take more than their limits.
 */
final class LockWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LockWatch.class);

  /** Own: HDFS gives the lock to another one after a minute; each look is a line of its log. */
  static final long REST_MILLIS = TimeUnit.SECONDS.toMillis(30);

  private final Question holds;
  private final Consumer<OperatorException> lost;
  private final long restMillis;

  /** Asks the NameNode. */
  @FunctionalInterface
  interface Question {
    boolean holds() throws IOException;
  }

  /**
   * @param lost is told once, when another mover has it
   */
  LockWatch(Question holds, Consumer<OperatorException> lost, long restMillis) {
    this.holds = holds;
    this.lost = lost;
    this.restMillis = restMillis;
  }

  @Override
  public void run() {
    try {
      do {
        TimeUnit.MILLISECONDS.sleep(restMillis);
      } while (mayGoOn());
      lost.accept(
          OperatorException.cluster(
              "another mover may have the lock "
                  + MoverConnection.LOCK
                  + ", as after a minute without a sign of life: this one has ended, and what it"
                  + " moved is in the journal",
              null));
    } catch (InterruptedException e) {
      // The run is over.
      Thread.currentThread().interrupt();
    }
  }

  /** A NameNode that does not answer gives the lock to nobody. */
  private boolean mayGoOn() {
    try {
      return holds.holds();
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot ask whether the lock is held", e);
      return true;
    }
  }
}
