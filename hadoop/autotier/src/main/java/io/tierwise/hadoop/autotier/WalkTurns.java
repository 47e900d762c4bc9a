package io.tierwise.hadoop.autotier;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Lets a walk of many paths go on in turns: it has a thread of its own, which stands still between
 * them where it is. Only one of both threads runs at a time.
 */
final class WalkTurns {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Thread thread;
  private boolean runs;
  private boolean over;
  private boolean ended;
  private long pathsLeft;
  private long endNanos;
  private Throwable failure;

  /** A walk, which calls {@link #step} before each path. */
  @FunctionalInterface
  interface Walk {
    void walk() throws IOException;
  }

  /** Hears that time passes while a walk goes on. */
  @FunctionalInterface
  interface Pulse {
    /** Nobody has to. */
    Pulse NONE = () -> {};

    /** Called about each second. */
    void beat() throws IOException;
  }

  /** Begins with the first turn. */
  WalkTurns(Walk walk) {
    thread = new Thread(() -> run(walk), "autotier-walk");
    thread.setDaemon(true);
  }

  private void run(Walk walk) {
    Throwable caught = null;
    try {
      walk.walk();
    } catch (Throwable e) {
      // The caller waits for a sign of this thread, and gets its errors, too.
      caught = e;
    } finally {
      over(caught);
    }
  }

  private synchronized void over(Throwable caught) {
    failure = caught;
    over = true;
    runs = false;
    notifyAll();
  }

  /**
   * A path is looked at: waits for the next turn when this one is over.
   *
   * @throws InterruptedIOException when the walk was ended
   */
  synchronized void step() throws IOException {
    if (ended) {
      throw new InterruptedIOException("ended");
    }
    pathsLeft--;
    if (pathsLeft >= 0 && System.nanoTime() - endNanos < 0) {
      return;
    }
    runs = false;
    notifyAll();
    try {
      while (!runs) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("ended").initCause(e);
    }
    pathsLeft--;
  }

  /**
   * Goes on; a walk that is over stays so.
   *
   * @param pathsMax looked at in this turn
   * @param nanosMax that it lasts
   * @return whether the walk is over
   * @throws IOException as the walk; as the pulse, and the walk is ended then: nobody waits for it
   */
  boolean turn(long pathsMax, long nanosMax, Pulse pulse) throws IOException {
    synchronized (this) {
      pathsLeft = pathsMax;
      endNanos = System.nanoTime() + nanosMax;
      runs = !over;
      notifyAll();
    }
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    boolean heard = false;
    try {
      while (isRunning()) {
        pulse.beat();
      }
      heard = true;
    } finally {
      if (!heard) {
        end();
      }
    }
    return outcome();
  }

  private synchronized boolean outcome() throws IOException {
    ThreadFailure.raise(failure);
    return over;
  }

  private synchronized boolean isRunning() throws IOException {
    long end = System.nanoTime() + LOOK_NANOS;
    try {
      for (long left = LOOK_NANOS; runs && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("ended").initCause(e);
    }
    return runs;
  }

  /** Ends the walk where it is, within a call of its. */
  synchronized void end() {
    ended = true;
    thread.interrupt();
  }
}
