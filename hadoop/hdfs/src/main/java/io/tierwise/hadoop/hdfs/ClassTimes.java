package io.tierwise.hadoop.hdfs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * How long the decisions of one class of policies take, and whether it may decide now.
 *
 * <p>A policy of another jar may sleep, wait for a server, or walk a table that has grown. HDFS
 * waits for it with a handler, or under a lock. So the class is set aside, and its host decides
 * without it, while {@value #SLOW_AT_ONCE_MAX} of its decisions are slow at once; and for the rest
 * of a minute in which its slow decisions took up what is allowed. Slow decisions at one time count
 * once; the clock leaves pauses of the process out, since they are no policy's fault.
 *
 * <p>Safe for many threads; takes no lock while decisions are quick.
 */
public final class ClassTimes {
  /**
   * Own: a thousand times what a decision of ours takes (benchmarks/ranges.yaml), and longer than
   * most pauses of a garbage collector.
   */
  static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Own: HDFS has ten handlers by default; most of them stay free. */
  static final int SLOW_AT_ONCE_MAX = 3;

  static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Own: a look reads 4 KiB, some microseconds. While the class is asked, a decision that hangs is
   * noticed 70 ms after its begin at the latest; else by the next tick.
   */
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * Own: between looks while too many are slow. They may all have ended by now, since what makes
   * one slow, as a machine that swaps, makes all slow that run.
   */
  private static final long BETWEEN_LOOKS_AT_SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Stands for a decision that is not to begin. */
  public static final int SET_ASIDE = -1;

  /** More decisions at once are not timed. */
  private static final int RUNNING_MAX = 64;

  private static final int UNTIMED = RUNNING_MAX;
  private static final long NOT_RUNNING = 0;

  /** A line of memory: a decision touches one, which no other thread writes. */
  private static final int LONGS_OF_PLACE = 8;

  private static final AtomicLongFieldUpdater<ClassTimes> LOOKED =
      AtomicLongFieldUpdater.newUpdater(ClassTimes.class, "lookedNanos");

  private final String label;
  private final DecisionTimes.Question question;
  private final Logger log;
  private final LongSupplier clockNanos;

  /** By place: when the decision there began, and the time that those before it took. */
  private final AtomicLongArray places = new AtomicLongArray(RUNNING_MAX * LONGS_OF_PLACE);

  private final LongAdder slow = new LongAdder();
  private volatile long lookedNanos;
  private volatile int slowNow;
  private volatile boolean isSetAside;

  private long periodBegan;
  private long periodSpent;
  private long periodSlow;
  private long chargedUntil;

  ClassTimes(String label, DecisionTimes.Question question, DecisionTimes.Sources sources) {
    this.label = label;
    this.question = question;
    log = sources.log();
    clockNanos = sources.clockNanos();
    long now = now();
    lookedNanos = now - BETWEEN_LOOKS_NANOS;
    periodBegan = now - PERIOD_NANOS;
    chargedUntil = now;
  }

  /** Never the number that marks a free place. */
  private long now() {
    long now = clockNanos.getAsLong();
    return now == NOT_RUNNING ? 1 : now;
  }

  /** Whether the class may be asked; if not, the host decides by itself. */
  public boolean mayDecide() {
    return mayDecide(now());
  }

  private boolean mayDecide(long now) {
    long looked = lookedNanos;
    long between = slowNow < SLOW_AT_ONCE_MAX ? BETWEEN_LOOKS_NANOS : BETWEEN_LOOKS_AT_SLOW_NANOS;
    if (now - looked >= between && LOOKED.compareAndSet(this, looked, now)) {
      look(now);
    }
    return !isSetAside && slowNow < SLOW_AT_ONCE_MAX;
  }

  /** Decisions that never end are seen here alone. */
  private void look(long now) {
    int late = 0;
    long oldest = now;
    for (int place = 0; place < RUNNING_MAX; place++) {
      long began = places.get(place * LONGS_OF_PLACE);
      if (began != NOT_RUNNING && now - began > SLOW_NANOS) {
        late++;
        oldest = began - oldest < 0 ? began : oldest;
      }
    }
    slowNow = late;
    if (late > 0 || isSetAside) {
      charge(oldest, now, false);
    }
  }

  /**
   * A decision begins.
   *
   * @return for {@link #end}
   */
  public int begin() {
    return begin(now());
  }

  /** As {@link #begin} where the class {@link #mayDecide may decide}, else {@link #SET_ASIDE}. */
  public int tryBegin() {
    long now = now();
    return mayDecide(now) ? begin(now) : SET_ASIDE;
  }

  private int begin(long now) {
    int first = (int) (Thread.currentThread().getId() % RUNNING_MAX);
    for (int step = 0; step < RUNNING_MAX; step++) {
      int place = (first + step) % RUNNING_MAX;
      int at = place * LONGS_OF_PLACE;
      if (places.get(at) == NOT_RUNNING && places.compareAndSet(at, NOT_RUNNING, now)) {
        return place;
      }
    }
    return UNTIMED;
  }

  /** The decision that began there is over, or failed. */
  public void end(int place) {
    if (place == UNTIMED) {
      return;
    }
    int at = place * LONGS_OF_PLACE;
    long began = places.get(at);
    long now = now();
    // Whoever takes the place next sees the sum, because the place is given back after it.
    places.lazySet(at + 1, places.get(at + 1) + now - began);
    places.lazySet(at, NOT_RUNNING);
    if (now - began > SLOW_NANOS) {
      charge(began, now, true);
    }
  }

  private synchronized void charge(long began, long now, boolean isOver) {
    if (now - periodBegan >= PERIOD_NANOS) {
      periodBegan = now;
      periodSpent = 0;
      periodSlow = 0;
      isSetAside = false;
    }
    long from = began - chargedUntil < 0 ? chargedUntil : began;
    periodSpent += Math.max(0, now - from);
    chargedUntil = now - chargedUntil > 0 ? now : chargedUntil;
    if (isOver) {
      slow.increment();
      tellOfFirst(now - began);
    }
    if (periodSpent >= question.slowNanosMax() && !isSetAside) {
      isSetAside = true;
      log.warn(
          "{} has taken {} ms of a minute to {}, in slow decisions alone: {} for the rest of it."
              + " Set another policy, or have this one mended",
          label,
          TimeUnit.NANOSECONDS.toMillis(periodSpent),
          question.task(),
          question.instead());
    }
  }

  private void tellOfFirst(long tookNanos) {
    periodSlow++;
    if (periodSlow == 1) {
      log.warn(
          "{} took {} ms to {}; more than {} ms is slow",
          label,
          TimeUnit.NANOSECONDS.toMillis(tookNanos),
          question.task(),
          TimeUnit.NANOSECONDS.toMillis(SLOW_NANOS));
    }
  }

  /** Time that decisions took that are over. */
  public double seconds() {
    long nanos = 0;
    for (int place = 0; place < RUNNING_MAX; place++) {
      nanos += places.get(place * LONGS_OF_PLACE + 1);
    }
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** Decisions that were slow and are over. */
  public long slowCount() {
    return slow.sum();
  }
}
