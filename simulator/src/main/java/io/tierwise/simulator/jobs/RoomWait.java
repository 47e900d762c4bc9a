package io.tierwise.simulator.jobs;

import io.tierwise.simulator.cluster.WriteBuffers.RoomListener;
import java.util.function.Consumer;

/** Attempts that wait until the write buffers of their targets have room for what they write. */
final class RoomWait {
  private final TaskContext context;
  private final AttemptTable attempts;
  private final Consumer<TaskAttempt> whenReserved;
  private final RoomListener listener = this::roomMayBe;

  /**
   * @param whenReserved writes on: the room is the attempt's
   */
  RoomWait(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenReserved) {
    this.context = context;
    this.attempts = attempts;
    this.whenReserved = whenReserved;
  }

  /** Goes on at once when there is room; else later, unless the attempt waits no more by then. */
  void start(TaskAttempt attempt) {
    attempt.waitsForRoom = true;
    ask(attempt, attempts.ticket(attempt));
  }

  private void roomMayBe(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt != null && attempt.waitsForRoom) {
      ask(attempt, ticket);
    }
  }

  private void ask(TaskAttempt attempt, long ticket) {
    boolean reserved =
        context
            .buffers()
            .reserve(
                attempt.targets,
                attempt.targetBytes,
                attempt.writeBytesPerSecondMax,
                listener,
                ticket);
    if (reserved) {
      attempt.waitsForRoom = false;
      whenReserved.accept(attempt);
    }
  }
}
