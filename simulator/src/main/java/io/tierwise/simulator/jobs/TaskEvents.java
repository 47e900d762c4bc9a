package io.tierwise.simulator.jobs;

/** The events of tasks that the tracker must know. */
interface TaskEvents {
  /** An attempt of a task begins. */
  void taskStarted(TaskAttempt attempt);

  /** A task is done. */
  void taskDone(TaskAttempt attempt);

  /** A task cannot go on: its job fails for {@code reason}. */
  void jobFailed(TaskAttempt attempt, String reason);
}
