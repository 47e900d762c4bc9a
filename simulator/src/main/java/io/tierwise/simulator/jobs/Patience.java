package io.tierwise.simulator.jobs;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.EventHandler;
import io.tierwise.simulator.engine.Ticks;

/** How long jobs wait for slots near their data before they take any. */
final class Patience {
  private final Engine engine;
  private final Slots slots;
  private final long ticks;
  private final int over;

  /** {@code over} handles the moment when a job's patience may be over, with its number. */
  Patience(Engine engine, Slots slots, long nanos, EventHandler over) {
    this.engine = engine;
    this.slots = slots;
    this.ticks = Ticks.ofNanos(nanos);
    this.over = engine.register(over);
  }

  /** The job has just got a slot near its data, or begins to wait for one. */
  void begin(JobRun job) {
    job.waitingSinceTick = engine.now();
  }

  boolean isOver(JobRun job) {
    return engine.now() - job.waitingSinceTick >= ticks;
  }

  /** Calls back when the job's patience ends, unless that has passed. */
  void callBack(JobRun job) {
    callBack(job, job.waitingSinceTick + ticks);
  }

  /**
   * Calls back when the job's patience ends; when all that others do now is done, if it is over.
   */
  void callBackEvenIfOver(JobRun job) {
    callBack(job, isOver(job) ? engine.now() : job.waitingSinceTick + ticks);
  }

  /** Only when a slot is free is there something to wait for. */
  private void callBack(JobRun job, long tick) {
    if (tick >= engine.now() && slots.freeNodeCount() > 0 && !job.delayIsTimed) {
      job.delayIsTimed = true;
      engine.at(tick, over, job.id);
    }
  }
}
