package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.engine.Ticks;

/**
 * Second attempts of late maps: the first of the two to finish counts, the other is killed.
 *
 * <p>The scheduling policy says when a map is late; one of a job that has no waiting maps then gets
 * a second attempt on another node. Only jobs with reducers: the output of others goes to the file
 * system, where two attempts would write the same block.
 *
 * <p>A job is looked at as Hadoop's application master does: at most once a second, for the one map
 * that gains most, and for 15 s not again after a second attempt has begun. Source: MapReduce's
 * DefaultSpeculator, mapreduce.job.speculative.retry-after-no-speculate and retry-after-speculate.
 * Deviation: a look that cannot find a late map is left out, since it changes nothing; the ceilings
 * of a tenth of the running tasks, or ten, are not modelled.
 */
final class Speculation {
  private static final long LOOK_TICKS = Ticks.PER_SECOND;
  private static final long AFTER_ATTEMPT_TICKS = 15 * Ticks.PER_SECOND;
  private static final int UNREGISTERED = -1;

  private final TaskContext context;
  private final Tasks tasks;
  private final SlotAssigner slots;

  /** Made when it is needed, so that the events of all other runs are as if there were none. */
  private int looks = UNREGISTERED;

  Speculation(TaskContext context, Tasks tasks, SlotAssigner slots) {
    this.context = context;
    this.tasks = tasks;
    this.slots = slots;
  }

  /** A map of the job began or ended, or an attempt was lost: others may be late, or are soon. */
  void changed(JobRun job) {
    if (mayHaveLateMaps(job) && slots.lateAfterSeconds(job, 0) < Double.POSITIVE_INFINITY) {
      lookAt(job, Math.max(context.engine().now(), job.noLookBeforeTick));
    }
  }

  private static boolean mayHaveLateMaps(JobRun job) {
    return job.reduceCount > 0 && !job.isOver && !job.hasWaitingMaps() && !job.mapsAreDone();
  }

  private void lookAt(JobRun job, long tick) {
    if (tick >= job.nextLookTick) {
      return;
    }
    job.nextLookTick = tick;
    if (looks == UNREGISTERED) {
      looks = context.engine().registerBackground(this::look);
    }
    context.engine().at(tick, looks, job.id);
  }

  private void look(long jobId) {
    JobRun job = slots.find((int) jobId);
    long now = context.engine().now();
    if (job == null || job.nextLookTick != now) {
      // Over, or looked at earlier than was planned.
      return;
    }
    job.nextLookTick = Ticks.NEVER;
    if (!mayHaveLateMaps(job)) {
      return;
    }
    TaskAttempt first = null;
    long firstTick = Ticks.NEVER;
    long secondTick = Ticks.NEVER;
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (attempt.job == job && !attempt.reduce && attempt.twin == null) {
        long tick = lateTick(attempt);
        if (tick < firstTick) {
          secondTick = firstTick;
          firstTick = tick;
          first = attempt;
        } else {
          secondTick = Math.min(secondTick, tick);
        }
      }
    }
    boolean isLate = first != null && firstTick <= now;
    // Set before it begins, since that, too, is a change.
    job.noLookBeforeTick = now + (isLate ? AFTER_ATTEMPT_TICKS : LOOK_TICKS);
    if (isLate && startTwin(first)) {
      lookAt(job, Math.max(job.noLookBeforeTick, secondTick));
    } else if (!context.engine().isIdle()) {
      // Where nothing else will happen any more, no slot will be free either.
      job.noLookBeforeTick = now + LOOK_TICKS;
      lookAt(job, Math.max(job.noLookBeforeTick, firstTick));
    }
  }

  private long lateTick(TaskAttempt attempt) {
    double seconds = slots.lateAfterSeconds(attempt.job, attempt.task);
    long ticks = seconds < Double.POSITIVE_INFINITY ? Ticks.ofSeconds(seconds) : Ticks.NEVER;
    return ticks > Ticks.NEVER - attempt.startTick ? Ticks.NEVER : attempt.startTick + ticks;
  }

  /** Whether there was a slot that it may have. */
  private boolean startTwin(TaskAttempt attempt) {
    int node = slots.drawMapSlotBeside(attempt);
    if (node == ClusterView.NONE) {
      return false;
    }
    TaskAttempt twin = slots.startMap(attempt.job, attempt.task, node);
    twin.twin = attempt;
    attempt.twin = twin;
    return true;
  }

  /** The attempt is over; its twin, if it has one, is not needed any more. */
  void endTwin(TaskAttempt attempt) {
    TaskAttempt twin = attempt.twin;
    if (twin != null) {
      tasks.end(twin);
      context.jobMeter().taskKilled();
      slots.slotFree(twin);
    }
  }
}
