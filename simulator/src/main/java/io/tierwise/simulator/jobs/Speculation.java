package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.engine.Ticks;

/**
 * Second attempts of late tasks: the first of the two to finish counts, the other is killed.
 *
 * <p>The scheduling policy says when a task is late; one of a job of which no task waits for a slot
 * of that kind then gets a second attempt on another node. Only in stages that hand their output
 * on: that of others goes to the file system, where two attempts would write the same block.
 *
 * <p>A stage is looked at as Hadoop's application master does: at most once a second, for the one
 * task that gains most, and for 15 s not again after a second attempt has begun. Source:
 * MapReduce's DefaultSpeculator, mapreduce.job.speculative.retry-after-no-speculate and
 * retry-after-speculate. Deviation: a look that cannot find a late task is left out, since it
 * changes nothing; the ceilings of a tenth of the running tasks, or ten, are not modelled.
 */
final class Speculation {
  private static final long LOOK_TICKS = Ticks.PER_SECOND;
  private static final long AFTER_ATTEMPT_TICKS = 15 * Ticks.PER_SECOND;
  private static final int UNREGISTERED = -1;
  private static final int STAGE_SHIFT = 32;

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

  /** A task of the stage began or ended, or an attempt was lost: others are late now, or soon. */
  void changed(StageRun stage) {
    if (mayHaveLateTasks(stage) && slots.lateAfterSeconds(stage, 0) < Double.POSITIVE_INFINITY) {
      lookAt(stage, Math.max(context.engine().now(), stage.noLookBeforeTick));
    }
  }

  private static boolean mayHaveLateTasks(StageRun stage) {
    return stage.handsOn()
        && stage.isReleased
        && !stage.job.isOver
        && !stage.job.hasWaiting(stage.slots)
        && !stage.isDone();
  }

  private void lookAt(StageRun stage, long tick) {
    if (tick >= stage.nextLookTick) {
      return;
    }
    stage.nextLookTick = tick;
    if (looks == UNREGISTERED) {
      looks = context.engine().registerBackground(this::look);
    }
    context.engine().at(tick, looks, (long) stage.index << STAGE_SHIFT | stage.job.id);
  }

  private void look(long which) {
    JobRun job = slots.find((int) which);
    StageRun stage = job == null ? null : job.stages.get((int) (which >>> STAGE_SHIFT));
    long now = context.engine().now();
    if (stage == null || stage.nextLookTick != now) {
      // Over, or looked at earlier than was planned.
      return;
    }
    stage.nextLookTick = Ticks.NEVER;
    if (!mayHaveLateTasks(stage)) {
      return;
    }
    TaskAttempt first = null;
    long firstTick = Ticks.NEVER;
    for (int i = 0; i < stage.running.count(); i++) {
      TaskAttempt attempt = tasks.attempts().get(stage.running.get(i));
      if (attempt.twin == null) {
        long tick = lateTick(attempt);
        if (tick < firstTick) {
          firstTick = tick;
          first = attempt;
        }
      }
    }
    boolean isLate = first != null && firstTick <= now;
    // Set before it begins, since that, too, is a change, and asks for the next look.
    stage.noLookBeforeTick = now + (isLate ? AFTER_ATTEMPT_TICKS : LOOK_TICKS);
    if (!(isLate && startTwin(first)) && !context.engine().isIdle()) {
      // Where nothing else will happen any more, no slot will be free either.
      stage.noLookBeforeTick = now + LOOK_TICKS;
      lookAt(stage, Math.max(stage.noLookBeforeTick, firstTick));
    }
  }

  private long lateTick(TaskAttempt attempt) {
    double seconds = slots.lateAfterSeconds(attempt.stage, attempt.task);
    long ticks = seconds < Double.POSITIVE_INFINITY ? Ticks.ofSeconds(seconds) : Ticks.NEVER;
    return ticks > Ticks.NEVER - attempt.startTick ? Ticks.NEVER : attempt.startTick + ticks;
  }

  /** Whether there was a slot that it may have. */
  private boolean startTwin(TaskAttempt attempt) {
    int node = slots.drawSlotBeside(attempt);
    if (node == ClusterView.NONE) {
      return false;
    }
    TaskAttempt twin = slots.start(attempt.stage, attempt.task, node);
    twin.temporaryTier = attempt.temporaryTier;
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
