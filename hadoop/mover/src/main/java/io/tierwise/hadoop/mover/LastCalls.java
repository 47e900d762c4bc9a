package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.RepairBacklog;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The calls by which repairs tell the NameNode what they did. They are made also for a thread that
 * was interrupted to end, whose own calls would fail: untold, blocks would be lent to nobody until
 * their lease is over. Once the repairs were stopped, a NameNode that hangs is not waited for.
 */
final class LastCalls {
  /** Own: a NameNode that works answers within a second. */
  private static final long STOPPED_MILLIS_MAX = TimeUnit.SECONDS.toMillis(10);

  private static final long LOOK_MILLIS = 100;

  private final BooleanSupplier stopped;
  private final Consumer<String> say;
  private final long stoppedMillisMax;
  private boolean unheard;

  /** A call to the NameNode. */
  @FunctionalInterface
  interface Call {
    void make() throws IOException;
  }

  /**
   * @param stopped whether nobody has time any more
   * @param say is told a line for people when the NameNode did not answer in that time
   */
  LastCalls(BooleanSupplier stopped, Consumer<String> say) {
    this(stopped, say, STOPPED_MILLIS_MAX);
  }

  /**
   * @param stoppedMillisMax for which an answer is waited for after a stop
   */
  LastCalls(BooleanSupplier stopped, Consumer<String> say, long stoppedMillisMax) {
    this.stopped = stopped;
    this.say = say;
    this.stoppedMillisMax = stoppedMillisMax;
  }

  /** Makes a call, and none any more after one that nobody answered. */
  void make(Call call) throws IOException {
    if (unheard) {
      return;
    }
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              call.make();
              return null;
            });
    RunThreads.daemon(task, "mover-tell").start();
    boolean interrupted = Thread.interrupted();
    long patienceMillis = stoppedMillisMax;
    try {
      while (patienceMillis > 0) {
        try {
          task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          patienceMillis -= stopped.getAsBoolean() ? LOOK_MILLIS : 0;
        }
      }
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    unheard = true;
    say.accept(
        "the NameNode does not answer, and is not told what was repaired: it looks by itself, and"
            + " gives the rest out again after "
            + RepairBacklog.LEASE_SECONDS
            + " s");
  }

  private static IOException failed(Throwable why) {
    if (why instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return why instanceof IOException io ? io : new IOException(why);
  }
}
