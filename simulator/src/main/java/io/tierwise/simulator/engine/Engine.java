package io.tierwise.simulator.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs events in the order of (tick, sequence): what was scheduled first comes first among equals.
 * An event is (tick, handler, argument); a timer is an event that can be moved. After the last
 * event of an instant come its instant ends, for work that many events of one instant share, such
 * as dividing bandwidth anew.
 *
 * <p>Not safe for several threads: one engine belongs to one run.
 */
public final class Engine {
  private final EventQueue events = new EventQueue();
  private final TimerHeap timers = new TimerHeap();
  private final EventLog log;
  private final List<Runnable> instantEnds = new ArrayList<>();
  private final List<Runnable> checks = new ArrayList<>();
  private EventHandler[] handlers = new EventHandler[16];
  private boolean[] isBackground = new boolean[16];
  private int handlerCount;
  private int backgroundCount;
  private boolean[] isRequested = new boolean[4];
  private int requestedCount;
  private long sequence;
  private long now;
  private boolean isStopped;
  private long checksFrom = Ticks.NEVER;
  private long checksUntil;

  /** An engine that keeps no log, only its hash. */
  public Engine() {
    this(0);
  }

  /** An engine that keeps its last {@code logLimit} events. */
  public Engine(int logLimit) {
    log = new EventLog(logLimit);
  }

  /** The tick of the event that is being handled, or was last. */
  public long now() {
    return now;
  }

  /** Makes {@code handler} known; returns its id. Ids count up from 0. */
  public int register(EventHandler handler) {
    if (handlerCount == handlers.length) {
      handlers = Arrays.copyOf(handlers, 2 * handlerCount);
      isBackground = Arrays.copyOf(isBackground, 2 * handlerCount);
    }
    handlers[handlerCount] = handler;
    return handlerCount++;
  }

  /**
   * As {@link #register}, for somebody who looks again and again: his events keep no run alive
   * ({@link #isIdle}).
   */
  public int registerBackground(EventHandler handler) {
    int id = register(handler);
    isBackground[id] = true;
    return id;
  }

  /**
   * Schedules an event, at the earliest now; one at {@link Ticks#NEVER} is dropped.
   *
   * @throws IllegalArgumentException for a tick that has passed and an unknown handler
   * @throws EndOfTimeException for one beyond the last
   */
  public void at(long tick, int handler, long argument) {
    checkEvent(tick, handler);
    if (tick != Ticks.NEVER) {
      events.add(tick, sequence++, handler, argument);
      backgroundCount += isBackground[handler] ? 1 : 0;
    }
  }

  /** Makes a timer, not set yet; returns its id. */
  public int newTimer(int handler, long argument) {
    checkEvent(now, handler);
    return timers.add(handler, argument);
  }

  /**
   * Sets a timer, whether it was set or not; it then stands behind everything that is scheduled for
   * the same tick by now. {@link Ticks#NEVER} clears it.
   */
  public void setTimer(int timer, long tick) {
    checkTick(tick);
    if (tick == Ticks.NEVER) {
      timers.clear(timer);
    } else {
      timers.set(timer, tick, sequence++);
    }
  }

  /** Makes a timer not go off; does nothing when it is not set. */
  public void clearTimer(int timer) {
    timers.clear(timer);
  }

  /** Makes work for instant ends known; returns its id. */
  public int registerInstantEnd(Runnable work) {
    instantEnds.add(work);
    if (instantEnds.size() > isRequested.length) {
      isRequested = Arrays.copyOf(isRequested, 2 * isRequested.length);
    }
    return instantEnds.size() - 1;
  }

  /**
   * Has the work done once after the last event of the present instant; asking again changes
   * nothing. Of several, the one registered first goes first. The work may schedule events at this
   * instant and request instant ends, which then follow those events.
   */
  public void requestInstantEnd(int id) {
    if (!isRequested[id]) {
      isRequested[id] = true;
      requestedCount++;
    }
  }

  /** Handles the next event, and the end of its instant if it was the last one; false if none. */
  public boolean step() {
    endInstant();
    long eventTick = events.minTick();
    long timerTick = timers.minTick();
    if (eventTick == Ticks.NEVER && timerTick == Ticks.NEVER) {
      return false;
    }
    if (eventTick < timerTick
        || (eventTick == timerTick && events.minSequence() < timers.minSequence())) {
      int handler = events.minHandler();
      long argument = events.minArgument();
      events.removeMin();
      backgroundCount -= isBackground[handler] ? 1 : 0;
      handle(eventTick, handler, argument);
    } else {
      int timer = timers.minTimer();
      timers.clear(timer);
      handle(timerTick, timers.handler(timer), timers.argument(timer));
    }
    endInstant();
    return true;
  }

  /**
   * Handles all events up to and including {@code tick}, then lets the clock show it, unless
   * stopped before. With {@link Ticks#NEVER} the clock stays at the last event.
   */
  public void runUntil(long tick) {
    checkTick(tick);
    isStopped = false;
    endInstant();
    while (!isStopped && nextTick() <= tick && step()) {}
    if (!isStopped && tick != Ticks.NEVER) {
      now = tick;
    }
  }

  /** Lets {@link #runUntil} return after the present event. */
  public void stop() {
    isStopped = true;
  }

  /** Whether nothing will happen any more, but for what only looks. */
  public boolean isIdle() {
    return requestedCount == 0
        && timers.minTick() == Ticks.NEVER
        && events.size() == backgroundCount;
  }

  /** Events handled since the start. */
  public long eventCount() {
    return log.count();
  }

  /** Equal for two runs that handled the same events in the same order. */
  public long logHash() {
    return log.hash();
  }

  /** The last events, oldest first, as many as the constructor was told to keep. */
  public List<LoggedEvent> log() {
    return log.last();
  }

  /** Adds a check that throws when an invariant is broken; runs in the time of the assert mode. */
  public void registerCheck(Runnable check) {
    checks.add(check);
  }

  /** Runs all checks after every event and instant end from one tick up to and with another. */
  public void assertBetween(long fromTick, long untilTick) {
    checksFrom = fromTick;
    checksUntil = untilTick;
  }

  private void handle(long tick, int handler, long argument) {
    now = tick;
    log.add(tick, handler, argument);
    handlers[handler].handle(argument);
    runChecks();
  }

  private void endInstant() {
    while (requestedCount > 0 && nextTick() > now) {
      int id = 0;
      while (!isRequested[id]) {
        id++;
      }
      isRequested[id] = false;
      requestedCount--;
      instantEnds.get(id).run();
      runChecks();
    }
  }

  private void runChecks() {
    if (now >= checksFrom && now <= checksUntil) {
      for (Runnable check : checks) {
        check.run();
      }
    }
  }

  private long nextTick() {
    return Math.min(events.minTick(), timers.minTick());
  }

  private void checkTick(long tick) {
    if (tick < 0) {
      // Now and a delay that together are more than a tick can say.
      throw new EndOfTimeException();
    }
    if (tick < now) {
      throw new IllegalArgumentException("tick " + tick + " has passed: it is " + now);
    }
  }

  private void checkEvent(long tick, int handler) {
    checkTick(tick);
    if (handler < 0 || handler >= handlerCount) {
      throw new IllegalArgumentException("no handler " + handler + ", there are " + handlerCount);
    }
  }
}
