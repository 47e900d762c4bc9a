package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Task;

/**
 * When a running task is so late that a second attempt is worth a slot.
 *
 * <p>late = f x mean: seconds; f the factor, mean what the stage's finished tasks took; before one
 * is done, the upper end of what the past tells of the task's stage. Own: Hadoop estimates the end
 * of each task from its progress and compares with the mean (MapReduce's DefaultSpeculator);
 * elapsed time says the same when tasks of a stage do the same work.
 *
 * @param lateFactor f; infinite for none
 */
public record SecondAttempts(double lateFactor) {
  /** No task gets one. */
  public static final SecondAttempts NEVER = new SecondAttempts(Double.POSITIVE_INFINITY);

  public SecondAttempts {
    if (!(lateFactor >= 1)) {
      throw new IllegalArgumentException("late-factor is " + lateFactor + ", must be 1 or more");
    }
  }

  /** Seconds after which the task is late; infinite when nothing tells. */
  double lateAfterSeconds(Task task, WorkView work) {
    double mean = work.meanTaskSeconds(task.job(), task.stage());
    if (Double.isNaN(mean)) {
      mean = work.job(task.job()).stages().get(task.stage()).demand().soonest().high();
    }
    return lateFactor * mean;
  }
}
