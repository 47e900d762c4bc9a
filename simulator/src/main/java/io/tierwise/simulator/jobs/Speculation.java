package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.engine.Ticks;

/**
 * Second attempts of late maps: the first of the two to finish counts, the other is killed.
 *
 * <p>The scheduling policy says when a map is late; one of a job that has no waiting maps then gets
 * a second attempt on another node. Only jobs with reducers: the output of others goes to the file
 * system, where two attempts would write the same block.
 */
final class Speculation {
  private final TaskContext context;
  private final Tasks tasks;
  private final SlotAssigner slots;

  Speculation(TaskContext context, Tasks tasks, SlotAssigner slots) {
    this.context = context;
    this.tasks = tasks;
    this.slots = slots;
  }

  /** A map of a job is done: the attempts of others that are late get company. */
  void mapDone(TaskAttempt done) {
    JobRun job = done.job;
    if (job.reduceCount == 0 || job.hasWaitingMaps() || job.mapsAreDone()) {
      return;
    }
    if (Double.isInfinite(slots.lateAfterSeconds(done))) {
      return;
    }
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (attempt.job == job && !attempt.reduce && attempt.twin == null && isLate(attempt)) {
        startTwin(attempt);
      }
    }
  }

  private boolean isLate(TaskAttempt attempt) {
    long ticks = context.engine().now() - attempt.startTick;
    double lateSeconds = slots.lateAfterSeconds(attempt);
    return ticks > (long) (lateSeconds * Ticks.PER_SECOND);
  }

  private void startTwin(TaskAttempt attempt) {
    int node = slots.drawMapSlot(attempt.node);
    if (node != ClusterView.NONE) {
      TaskAttempt twin = slots.startMap(attempt.job, attempt.task, node);
      twin.twin = attempt;
      attempt.twin = twin;
    }
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
