package io.tierwise.simulator.jobs;

/** What the tracker must know of its tasks. */
interface TaskEvents {
  /** A task is done. */
  void taskDone(TaskAttempt attempt);

  /** A task cannot go on: its job fails for {@code reason}. */
  void jobFailed(TaskAttempt attempt, String reason);
}
